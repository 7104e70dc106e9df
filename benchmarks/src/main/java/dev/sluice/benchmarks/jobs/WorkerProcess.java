/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** The driver's side of a {@link Worker}. For one thread at a time. */
final class WorkerProcess implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** What Flink asks for on this Java. */
    private static final List<String> OPENED = List.of("java.lang", "java.util", "java.time", "java.nio", "sun.nio.ch");

    private final Connector connector;
    private final Process process;
    private final Path warehouse;
    private final Path log;
    private final BufferedWriter requests;
    private final BufferedReader answers;

    private WorkerProcess(Connector connector, Process process, Path warehouse, Path log) {
        this.connector = connector;
        this.warehouse = warehouse;
        this.process = process;
        this.log = log;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts it with the catalog {@code lake} in a folder of its own under {@code folder}, and with {@code shared} in one that
     * all connectors of Paimon see. Theirs also have {@code slow}, the same folder as {@code lake} on slow storage.
     */
    static WorkerProcess start(Connector connector, Arguments.Machine machine, Path libraries, Path folder)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve(connector.label()));
        Path log = home.resolve("worker.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + machine.heap());
        for (String opened : OPENED) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.addAll(machine.java());
        command.add("-Djava.io.tmpdir=" + Files.createDirectories(home.resolve("tmp")));
        command.add("-cp");
        command.add(connector.classPath(libraries));
        command.add(Worker.class.getName());
        command.add(String.valueOf(machine.parallelism()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(log.toFile());
        Path warehouse = home.resolve("warehouse");
        WorkerProcess worker = new WorkerProcess(connector, builder.start(), warehouse, log);
        worker.open("lake", warehouse.toUri());
        if (connector != Connector.ICEBERG) {
            worker.open("shared", folder.resolve("shared").toUri());
            worker.open("slow", URI.create("slow:" + warehouse.toUri().getRawPath()));
        }
        return worker;
    }

    private void open(String catalog, URI warehouse) {
        execute(connector.catalog(catalog, warehouse), Map.of());
        execute("CREATE DATABASE IF NOT EXISTS " + catalog + ".bench", Map.of());
    }

    Connector connector() {
        return connector;
    }

    /** @throws IllegalStateException if the statement fails or the process ends */
    Worker.Answer execute(String statement, Map<String, String> settings) {
        return answer(new Worker.Request(statement, settings, null));
    }

    /**
     * Executes a job that has no end, commits to the table that it follows and cancels it.
     *
     * @throws IllegalStateException if the statement fails, a row does not arrive or the process ends
     */
    Worker.Answer follow(Job job, int commits, long seed) {
        String folder =
                warehouse.resolve("bench.db").resolve(job.traits().follows()).toString();
        return answer(
                new Worker.Request(job.measured(), job.settings(), new CommitToRow.Commits(folder, commits, seed)));
    }

    private Worker.Answer answer(Worker.Request request) {
        String statement = request.statement();
        try {
            requests.write(JSON.writeValueAsString(request));
            requests.newLine();
            requests.flush();
            String line = answers.readLine();
            // A profiler may greet.
            while (line != null && !line.startsWith("{")) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IllegalStateException(
                        connector.label() + " ended during: " + statement + "\nIts log: " + log);
            }
            Worker.Answer answer = JSON.readValue(line, Worker.Answer.class);
            if (!answer.error().isEmpty()) {
                throw new IllegalStateException(
                        connector.label() + " failed at: " + statement + "\nIts log: " + log + "\n" + answer.error());
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(connector.label() + " does not answer. Its log: " + log, e);
        }
    }

    @Override
    public void close() throws IOException {
        requests.close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
