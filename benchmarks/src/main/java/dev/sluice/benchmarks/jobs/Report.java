/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes each run as a line of JSON, and at the end a page with the table and the charts of all. */
final class Report implements AutoCloseable {

    private static final String FILE = "runs.jsonl";

    private final Path folder;
    private final List<Run> runs = new ArrayList<>();

    private Report(Path folder) {
        this.folder = folder;
    }

    static Report open(Path folder, Circumstances circumstances) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(FILE), circumstances.line() + "\n");
        System.out.print(ResultsTable.HEADER);
        return new Report(folder);
    }

    void add(long rows, Job job, Map<Connector, List<Worker.Answer>> answers) {
        answers.forEach((connector, all) -> {
            for (int i = 0; i < all.size(); i++) {
                Worker.Answer answer = all.get(i);
                for (Map.Entry<String, Long> time : times(job, answer).entrySet()) {
                    Run.Cost cost = new Run.Cost(
                            time.getValue(), answer.cpuMillis(), answer.peakMegabytes(), answer.heapMegabytes());
                    add(new Run(time.getKey(), job.input(), rows, connector.label(), i + 1, cost));
                }
            }
        });
        ResultsTable table = new ResultsTable(new Runs(runs));
        List<Worker.Answer> some = answers.values().iterator().next();
        times(job, some.get(0)).keySet().forEach(name -> System.out.print(table.lines(name, rows)));
    }

    /** Milliseconds by the name of what took them. */
    private static Map<String, Long> times(Job job, Worker.Answer answer) {
        if (!job.follows()) {
            return Map.of(job.name(), answer.millis());
        }
        Map<String, Long> times = new TreeMap<>();
        for (int percent : List.of(50, 99)) {
            times.put(job.name() + "-p" + percent, percentile(answer.latencies(), percent));
        }
        return times;
    }

    /** The least value that so many of a hundred do not exceed. */
    private static long percentile(List<Long> values, int percent) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    private void add(Run run) {
        runs.add(run);
        try {
            Files.writeString(folder.resolve(FILE), run.line() + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        write(folder, List.of(folder.resolve(FILE)));
    }

    /** Writes {@code README.md} and the charts from files of runs. */
    static void write(Path folder, List<Path> files) throws IOException {
        Files.createDirectories(folder);
        Runs runs = Runs.read(files);
        StringBuilder page = new StringBuilder("# Results\n\n");
        for (Circumstances one : Circumstances.read(files)) {
            page.append(String.format(
                    Locale.ROOT,
                    "`%s` on %s at commit %s: %s, %s.\n\n",
                    one.command(),
                    one.date(),
                    one.commit(),
                    one.machine(),
                    one.versions()));
        }
        page.append("Above 1 in the last three columns, Sluice is faster. Every run is in ");
        page.append(String.join(
                        ", ", files.stream().map(file -> link(folder, file)).toList()))
                .append(".\n\n");
        for (long rows : runs.sizes()) {
            chart(folder, page, "ratios-" + (rows == 0 ? "fixed" : rows), RatioChart.draw(runs, rows));
        }
        chart(folder, page, "growth", GrowthChart.draw(runs));
        page.append(ResultsTable.HEADER).append(new ResultsTable(runs).lines());
        Files.writeString(folder.resolve("README.md"), page);
        System.out.println("\nResults: " + folder.resolve("README.md"));
    }

    private static String link(Path folder, Path file) {
        Path relative = folder.toAbsolutePath().relativize(file.toAbsolutePath());
        return "[`" + file.getFileName() + "`](" + relative + ")";
    }

    private static void chart(Path folder, StringBuilder page, String name, String svg) throws IOException {
        if (!svg.isEmpty()) {
            Files.writeString(folder.resolve(name + ".svg"), svg);
            page.append("![").append(name).append("](").append(name).append(".svg)\n\n");
        }
    }
}
