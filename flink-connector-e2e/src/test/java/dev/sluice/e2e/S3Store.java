/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** An S3 server with one empty bucket, in memory and in a JVM of its own. */
final class S3Store implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String endpoint;
    private final Process server;

    private S3Store(String endpoint, Process server) {
        this.endpoint = endpoint;
        this.server = server;
    }

    /** @param folder where the server's settings are written */
    static S3Store start(Path folder, String bucket) throws IOException {
        String endpoint = "http://127.0.0.1:" + freePort();
        Path settings = Files.writeString(folder.resolve("s3proxy.conf"), """
                s3proxy.endpoint=%s
                s3proxy.authorization=none
                jclouds.provider=transient
                jclouds.identity=e2e
                jclouds.credential=e2e
                """.formatted(endpoint));
        ChildJvm jvm = ChildJvm.of(
                "s3-store", Installed.lib("s3proxy"), "org.gaul.s3proxy.Main", "--properties", settings.toString());
        S3Store store = new S3Store(endpoint, jvm.start());
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .failFast("The server has ended", () -> !store.server.isAlive())
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> store.send("PUT", "/" + bucket).statusCode() == 200);
        } catch (RuntimeException e) {
            store.close();
            throw new AssertionError("No S3 store at " + endpoint + ".\n" + jvm.read("out") + jvm.read("err"), e);
        }
        return store;
    }

    String endpoint() {
        return endpoint;
    }

    String list(String bucket, String prefix) throws IOException, InterruptedException {
        return send("GET", "/" + bucket + "?list-type=2&prefix=" + prefix).body();
    }

    @Override
    public void close() {
        server.destroyForcibly();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + path))
                .timeout(Duration.ofSeconds(10))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
