/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Writes each run as a line of JSON and each job as a line of a table. */
final class Report implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEADER = """
            | job | rows | connector | seconds | without input | CPU seconds | peak MB | heap MB | Sluice is faster | without input | CPU |
            |---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|
            """;

    private final Path lines;
    private final Path table;
    /** Of the input jobs, by rows and name. */
    private final Map<String, Map<Connector, List<Worker.Answer>>> inputs = new HashMap<>();

    private Report(Path folder) {
        this.lines = folder.resolve("runs.jsonl");
        this.table = folder.resolve("results.md");
    }

    static Report open(Arguments arguments) throws IOException {
        Report report = new Report(arguments.folder());
        Files.deleteIfExists(report.lines);
        Files.writeString(report.table, HEADER);
        System.out.print(HEADER);
        return report;
    }

    void add(long rows, Job job, Map<Connector, List<Worker.Answer>> answers) {
        inputs.put(rows + job.name(), answers);
        Map<Connector, List<Worker.Answer>> input = inputs.getOrDefault(rows + job.input(), Map.of());
        List<Worker.Answer> ours = answers.getOrDefault(Connector.SLUICE, List.of());
        List<Worker.Answer> ourInput = input.getOrDefault(Connector.SLUICE, List.of());
        answers.forEach((connector, runs) -> {
            List<Worker.Answer> ofInput = input.getOrDefault(connector, List.of());
            StringBuilder row = new StringBuilder();
            row.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %s | %.2f | %s | %.2f | %d | %d |",
                    job.name(),
                    rows,
                    connector.label(),
                    median(runs, Worker.Answer::millis) / 1000,
                    ofInput.isEmpty()
                            ? ""
                            : String.format(Locale.ROOT, "%.2f", without(runs, ofInput, Worker.Answer::millis) / 1000),
                    median(runs, Worker.Answer::cpuMillis) / 1000,
                    (long) median(runs, Worker.Answer::peakMegabytes),
                    (long) median(runs, Worker.Answer::heapMegabytes)));
            if (connector == Connector.SLUICE || ours.isEmpty()) {
                row.append(" | | |");
            } else {
                row.append(String.format(
                        Locale.ROOT,
                        " %.2f | %s | %.2f |",
                        pairwise(runs, ours, Worker.Answer::millis),
                        ofInput.isEmpty() || ourInput.isEmpty()
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "%.2f",
                                        without(runs, ofInput, Worker.Answer::millis)
                                                / without(ours, ourInput, Worker.Answer::millis)),
                        pairwise(runs, ours, Worker.Answer::cpuMillis)));
            }
            append(table, row.append('\n').toString());
            System.out.print(row);
            for (int run = 0; run < runs.size(); run++) {
                append(lines, line(rows, job, connector, run, runs.get(run)) + "\n");
            }
        });
    }

    private static String line(long rows, Job job, Connector connector, int run, Worker.Answer answer) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("job", job.name());
        fields.put("rows", rows);
        fields.put("connector", connector.label());
        fields.put("run", run + 1);
        fields.put("millis", answer.millis());
        fields.put("cpuMillis", answer.cpuMillis());
        fields.put("peakMegabytes", answer.peakMegabytes());
        fields.put("heapMegabytes", answer.heapMegabytes());
        try {
            return JSON.writeValueAsString(fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double without(
            List<Worker.Answer> runs, List<Worker.Answer> input, ToLongFunction<Worker.Answer> figure) {
        return Math.max(1, median(runs, figure) - median(input, figure));
    }

    private static double median(List<Worker.Answer> runs, ToLongFunction<Worker.Answer> figure) {
        return median(runs.stream().map(run -> (double) figure.applyAsLong(run)).toList());
    }

    /** Of the ratios of runs that stood beside each other. */
    private static double pairwise(
            List<Worker.Answer> theirs, List<Worker.Answer> ours, ToLongFunction<Worker.Answer> figure) {
        return median(IntStream.range(0, Math.min(theirs.size(), ours.size()))
                .mapToObj(
                        i -> figure.applyAsLong(theirs.get(i)) / (double) Math.max(1, figure.applyAsLong(ours.get(i))))
                .toList());
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        System.out.println("\nRuns: " + lines + "\nTable: " + table);
    }
}
