/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares lookups with the official connector's: {@code LookupProbes <folder> [--runs 5] [--rows 2000000] [--probes 2000000]
 * [--load <part of a description>]}. Makes a table in the folder, if it has none. Each side has a process of its own for each
 * load and run, and they take turns. Prints one line of JSON for each pair, with the ratios of the two, and a table of their
 * medians at the end. Only ratios mean something, and only on a machine with nothing else to do.
 */
public final class LookupProbes {

    /**
     * @param pattern which keys are probed, or {@code memory} for what four functions take
     * @param mode how, in the words of the options
     * @param always whether it is measured unless others are asked for
     */
    private record Load(String pattern, String mode, boolean always, List<String> options) {

        String description() {
            return pattern + ", " + mode;
        }
    }

    private static Load usual(String pattern, String mode, String... options) {
        return new Load(pattern, mode, true, List.of(options));
    }

    private static Load askedFor(String pattern, String mode, String... options) {
        return new Load(pattern, mode, false, List.of(options));
    }

    private static final List<Load> LOADS = List.of(
            usual("hot", "sync, AUTO"),
            usual("uniform", "sync, AUTO"),
            usual("missing", "sync, AUTO"),
            usual("slow-storage", "async, AUTO", "lookup.async=true", "lookup.async-thread-number=16"),
            usual("memory", "4 subtasks, FULL", "lookup.cache=full"),
            askedFor("memory", "4 subtasks, MEMORY", "lookup.cache=memory"),
            askedFor("uniform", "sync, FULL", "lookup.cache=full"),
            askedFor("hot", "sync, in files", "lookup.cache-max-memory-size=64 mb", "lookup.cache.max-rows=100000"),
            askedFor("uniform", "sync, in files", "lookup.cache-max-memory-size=64 mb"));

    private static final String FOUND = "found";

    private final Path folder;
    private final Map<String, String> arguments =
            new TreeMap<>(Map.of("--runs", "5", "--rows", "2000000", "--probes", "2000000", "--load", ""));

    private LookupProbes(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0 || args[0].startsWith("--")) {
            throw new IllegalArgumentException("Needs a folder first, and accepts after it --runs, --rows, --probes and"
                    + " --load, each with a value.");
        }
        LookupProbes probes = new LookupProbes(Path.of(args[0]));
        for (int i = 1; i < args.length; i += 2) {
            if (!probes.arguments.containsKey(args[i]) || i + 1 == args.length) {
                throw new IllegalArgumentException("'" + args[i] + "' is unknown or lacks a value; accepted are "
                        + probes.arguments.keySet() + ".");
            }
            probes.arguments.put(args[i], args[i + 1]);
        }
        probes.run();
    }

    private void run() throws Exception {
        if (!Files.exists(folder.resolve("snapshot"))) {
            LookupTable.make(new org.apache.paimon.fs.Path(folder.toUri()), Long.parseLong(argument("--rows")));
        }
        String wanted = argument("--load");
        List<Load> loads = LOADS.stream()
                .filter(load ->
                        wanted.isEmpty() ? load.always() : load.description().contains(wanted))
                .toList();
        Map<Load, List<Pair>> pairs = new LinkedHashMap<>();
        for (int run = 1; run <= Integer.parseInt(argument("--runs")); run++) {
            for (Load load : loads) {
                Pair pair = new Pair(run("sluice", load), run("official", load));
                pair.checkSameRows(load);
                System.out.println(json(load, run, pair));
                pairs.computeIfAbsent(load, unused -> new ArrayList<>()).add(pair);
            }
        }
        System.out.println();
        System.out.println("| load | figure | Sluice | official | official / Sluice, median (least, most) |");
        System.out.println("|---|---|---|---|---|");
        pairs.forEach(LookupProbes::printMedians);
    }

    private String argument(String name) {
        return arguments.getOrDefault(name, "");
    }

    /** What the two sides measured, one right after the other. */
    private record Pair(Map<String, Double> ours, Map<String, Double> official) {

        void checkSameRows(Load load) {
            if (ofOurs(FOUND) != ofOfficial(FOUND)) {
                throw new IllegalStateException("The two sides found different numbers of rows with "
                        + load.description() + ": " + ofOurs(FOUND) + " and " + ofOfficial(FOUND));
            }
        }

        List<String> figures() {
            return ours.keySet().stream().filter(name -> !name.equals(FOUND)).toList();
        }

        double ofOurs(String figure) {
            return Objects.requireNonNull(ours.get(figure), figure);
        }

        double ofOfficial(String figure) {
            return Objects.requireNonNull(official.get(figure), figure);
        }

        double ratio(String figure) {
            return ofOfficial(figure) / ofOurs(figure);
        }
    }

    private Map<String, Double> run(String side, Load load) throws IOException, InterruptedException {
        Path temporary = Files.createTempDirectory("probes");
        try {
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElse("java"));
            // As this process: class path, heap and opened packages.
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.add("-Djava.io.tmpdir=" + temporary);
            if (load.pattern().equals("memory")) {
                // So that memory which is no longer used goes back to the system before it is measured.
                command.addAll(List.of("-XX:+UseG1GC", "-XX:MinHeapFreeRatio=5", "-XX:MaxHeapFreeRatio=10"));
            }
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), LookupRun.class.getName(), side));
            command.addAll(List.of(load.pattern(), folder.toString(), argument("--rows"), argument("--probes")));
            command.addAll(load.options());
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("Failed: " + String.join(" ", command) + "\n" + output);
            }
            return figures(output.strip());
        } finally {
            delete(temporary);
        }
    }

    private static Map<String, Double> figures(String output) {
        String[] words = output.substring(output.lastIndexOf('\n') + 1).split(" ");
        Map<String, Double> figures = new TreeMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            figures.put(words[i], Double.valueOf(words[i + 1]));
        }
        return figures;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private String json(Load load, int run, Pair pair) {
        StringBuilder json = new StringBuilder(String.format(
                "{\"table\": \"primary key, 4 buckets, %s rows\", \"pattern\": \"%s\", \"mode\": \"%s\", \"probes\": %s,"
                        + " \"run\": %d",
                argument("--rows"), load.pattern(), load.mode(), argument("--probes"), run));
        for (String figure : pair.figures()) {
            double ratio = pair.ratio(figure);
            json.append(String.format(
                    Locale.ROOT,
                    ", \"%s\": {\"sluice\": %.3f, \"official\": %.3f, \"ratio\": %s}",
                    figure,
                    pair.ofOurs(figure),
                    pair.ofOfficial(figure),
                    Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "null"));
        }
        return json.append('}').toString();
    }

    private static void printMedians(Load load, List<Pair> pairs) {
        for (String figure : pairs.get(0).figures()) {
            List<Double> ratios = sorted(pairs, pair -> pair.ratio(figure));
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.2f | %.2f (%.2f, %.2f) |%n",
                    load.description(),
                    figure,
                    median(sorted(pairs, pair -> pair.ofOurs(figure))),
                    median(sorted(pairs, pair -> pair.ofOfficial(figure))),
                    median(ratios),
                    ratios.get(0),
                    ratios.get(ratios.size() - 1));
        }
    }

    private interface Figure {
        double of(Pair pair);
    }

    private static List<Double> sorted(List<Pair> pairs, Figure figure) {
        return pairs.stream().map(figure::of).sorted().toList();
    }

    private static double median(List<Double> sorted) {
        int upper = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(upper) : (sorted.get(upper - 1) + sorted.get(upper)) / 2;
    }
}
