/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Where figures come from, the first line of their file.
 *
 * @param command what was asked for
 * @param commit of this repository, as Git describes it
 * @param machine processors and memory
 * @param versions of what ran
 */
record Circumstances(String date, String command, String commit, String machine, String versions) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static Circumstances now(Arguments arguments, List<String> command, Path libraries) throws IOException {
        return new Circumstances(
                LocalDate.now(ZoneOffset.UTC).toString(),
                String.join(" ", command),
                described(),
                String.format(
                        Locale.ROOT,
                        "%d processors (%s), %d GB of memory, %s of heap and %d subtasks for each connector",
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        memoryGigabytes(),
                        arguments.machine().heap(),
                        arguments.machine().parallelism()),
                versions(arguments, libraries));
    }

    /** In the order of their files; files without such a line have none. */
    static List<Circumstances> read(List<Path> files) throws IOException {
        List<Circumstances> all = new ArrayList<>();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                JsonNode json = JSON.readTree(line);
                if (json.has("commit")) {
                    all.add(JSON.treeToValue(json, Circumstances.class));
                }
            }
        }
        return all;
    }

    String line() throws IOException {
        return JSON.writeValueAsString(this);
    }

    private static String versions(Arguments arguments, Path libraries) throws IOException {
        List<String> versions = new ArrayList<>(
                List.of("Java " + Runtime.version().feature(), "Flink " + EnvironmentInformation.getVersion()));
        for (Connector connector : arguments.connectors()) {
            Path folder = libraries.resolve(connector.label());
            if (connector != Connector.SLUICE && Files.isDirectory(folder)) {
                try (var jars = Files.list(folder)) {
                    jars.map(jar -> jar.getFileName().toString().replaceAll("\\.jar$", ""))
                            .filter(name -> !name.startsWith("hadoop"))
                            .sorted()
                            .forEach(versions::add);
                }
            }
        }
        return String.join(", ", versions);
    }

    /** "unknown" outside a clone. */
    private static String described() throws IOException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                .redirectErrorStream(true)
                .start();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer : "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static String processor() throws IOException {
        Path told = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(told)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(told).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    private static long memoryGigabytes() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Math.round(system.getTotalMemorySize() / (double) (1L << 30));
    }
}
