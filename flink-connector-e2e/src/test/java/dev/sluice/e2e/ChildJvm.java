/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A Java program in a JVM of its own, with a class path that has nothing of the test's. */
final class ChildJvm {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(10);

    /** A program that has ended by itself. */
    record Finished(String command, int exitCode, String out, String err) {

        Finished expectSuccess() {
            if (exitCode != 0) {
                throw new AssertionError("A child JVM ended with " + exitCode + ".\n" + transcript());
            }
            return this;
        }

        Finished expectFailure() {
            if (exitCode == 0) {
                throw new AssertionError("A child JVM should have failed.\n" + transcript());
            }
            return this;
        }

        /** The rows that {@link SqlFile} printed for the statement of that name. */
        List<String> rows(String statement) {
            String prefix = statement + "| ";
            return out.lines()
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .toList();
        }

        String transcript() {
            return "command: " + command + "\n--- standard output\n" + out + "\n--- standard error\n" + err;
        }
    }

    private final Path work;
    private final List<String> command = new ArrayList<>();

    private ChildJvm(Path work, List<Path> classPath, String mainClass, List<String> arguments) {
        this.work = work;
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(Installed.property("e2e.jvm.options").split(" ")));
        command.add("-Djava.io.tmpdir=" + work);
        command.add("-cp");
        command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
    }

    /**
     * @param name distinguishes the folder for output and temporary files
     * @param classPath the whole of it, first come first served
     */
    static ChildJvm of(String name, List<Path> classPath, String mainClass, String... arguments) {
        Path work = Path.of(Installed.property("e2e.work"), name);
        try {
            Files.createDirectories(work);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ChildJvm(work, classPath, mainClass, List.of(arguments));
    }

    /** Waits for the program's end, at most {@link #TIME_LIMIT}. */
    Finished run() throws IOException, InterruptedException {
        Process process = start();
        try {
            boolean ended = process.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
            int exitCode = ended ? process.exitValue() : -1;
            Finished finished = new Finished(String.join(" ", command), exitCode, read("out"), read("err"));
            if (!ended) {
                throw new AssertionError(
                        "A child JVM did not end within " + TIME_LIMIT + ".\n" + finished.transcript());
            }
            return finished;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a program that does not end by itself; the caller destroys it. */
    Process start() throws IOException {
        return new ProcessBuilder(command)
                .redirectOutput(work.resolve("out").toFile())
                .redirectError(work.resolve("err").toFile())
                .start();
    }

    String read(String stream) throws IOException {
        return Files.readString(work.resolve(stream), StandardCharsets.UTF_8);
    }
}
