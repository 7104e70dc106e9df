/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.fs.Path;

/**
 * Compares lookups with the official connector's: {@code LookupProbes <folder> [<rows> [<probes> [<pairs> [<part>]]]]} makes
 * a table in the folder, if it has none, and prints one line of JSON for each load, or each whose description has the
 * part, with the medians of so many pairs of processes, one after the other. Only ratios mean something, and only on a machine with nothing else to do.
 */
public final class LookupProbes {

    /**
     * @param pattern which keys are probed, or {@code memory} for what four functions take
     * @param mode how, in the words of the options
     */
    private record Load(String pattern, String mode, List<String> options) {
        Load(String pattern, String mode, String... options) {
            this(pattern, mode, List.of(options));
        }

        String description() {
            return pattern + ", " + mode;
        }
    }

    private static final List<Load> LOADS = List.of(
            new Load("hot", "sync, AUTO"),
            new Load("uniform", "sync, AUTO"),
            new Load("missing", "sync, AUTO"),
            new Load("hot", "sync, in files", "lookup.cache-max-memory-size=64 mb", "lookup.cache.max-rows=100000"),
            new Load("uniform", "sync, in files", "lookup.cache-max-memory-size=64 mb"),
            new Load("slow-storage", "async, AUTO", "lookup.async=true", "lookup.async-thread-number=16"),
            new Load("memory", "4 subtasks, FULL", "lookup.cache=full"),
            new Load("memory", "4 subtasks, MEMORY", "lookup.cache=memory"));

    private static final String FOUND = "found";

    private LookupProbes() {}

    public static void main(String[] args) throws Exception {
        String folder = args[0];
        long rows = args.length > 1 ? Long.parseLong(args[1]) : 2_000_000;
        int probes = args.length > 2 ? Integer.parseInt(args[2]) : 3_000_000;
        int pairs = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        if (!Files.exists(java.nio.file.Path.of(folder, "snapshot"))) {
            LookupTable.make(new Path(java.nio.file.Path.of(folder).toUri()), rows);
        }
        String wanted = args.length > 4 ? args[4] : "";
        for (Load load : LOADS) {
            if (!load.description().contains(wanted)) {
                continue;
            }
            List<Map<String, Double>> ours = new ArrayList<>();
            List<Map<String, Double>> official = new ArrayList<>();
            for (int pair = 0; pair < pairs; pair++) {
                ours.add(run("sluice", load, folder, rows, probes));
                official.add(run("official", load, folder, rows, probes));
            }
            System.out.println(json(load, rows, probes, pairs, ours, official));
        }
    }

    private static Map<String, Double> run(String side, Load load, String folder, long rows, int probes)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        // As this process: class path, heap and opened packages.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (load.pattern().equals("memory")) {
            // What is not heap is then the rest of the process's memory.
            command.addAll(List.of("-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LookupRun.class.getName()));
        command.addAll(List.of(side, load.pattern(), folder, Long.toString(rows), Integer.toString(probes)));
        command.addAll(load.options());
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("Failed: " + String.join(" ", command) + "\n" + output);
        }
        String[] words =
                output.strip().substring(output.strip().lastIndexOf('\n') + 1).split(" ");
        Map<String, Double> figures = new TreeMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            figures.put(words[i], Double.valueOf(words[i + 1]));
        }
        return figures;
    }

    private static String json(
            Load load,
            long rows,
            int probes,
            int pairs,
            List<Map<String, Double>> ours,
            List<Map<String, Double>> official) {
        StringBuilder json = new StringBuilder(String.format(
                "{\"table\": \"primary key, 4 buckets, %d rows\", \"pattern\": \"%s\", \"mode\": \"%s\", \"probes\": %d,"
                        + " \"pairs\": %d",
                rows, load.pattern(), load.mode(), probes, pairs));
        if (median(ours, FOUND) != median(official, FOUND)) {
            throw new IllegalStateException("The two sides found different rows: " + ours + " and " + official);
        }
        for (String name : ours.get(0).keySet()) {
            if (name.equals(FOUND)) {
                continue;
            }
            double own = median(ours, name);
            double other = median(official, name);
            json.append(String.format(
                    Locale.ROOT,
                    ", \"%s\": {\"sluice\": %.3f, \"official\": %.3f, \"ratio\": %.2f}",
                    name,
                    own,
                    other,
                    other / own));
        }
        return json.append('}').toString();
    }

    private static double median(List<Map<String, Double>> figures, String name) {
        double[] sorted = figures.stream()
                .mapToDouble(one -> one.getOrDefault(name, 0.0))
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }
}
