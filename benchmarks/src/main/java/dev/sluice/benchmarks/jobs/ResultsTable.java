/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The lines of the Markdown table, one for each job and connector. */
final class ResultsTable {

    static final String HEADER = """
            | job | rows | connector | seconds | without input | CPU seconds | peak MB | heap MB | Sluice is faster | without input | CPU |
            |---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|
            """;

    private final Runs runs;

    ResultsTable(Runs runs) {
        this.runs = runs;
    }

    /** Of all jobs, in the order in which they ran. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        for (long rows : runs.sizes()) {
            runs.all().stream()
                    .filter(run -> run.rows() == rows)
                    .map(Run::job)
                    .distinct()
                    .forEach(job -> lines.append(lines(job, rows)));
        }
        return lines.toString();
    }

    String lines(String job, long rows) {
        StringBuilder lines = new StringBuilder();
        Runs ofJob = runs.of(job, rows);
        for (String connector : ofJob.connectors()) {
            lines.append(line(ofJob, connector));
        }
        return lines.toString();
    }

    private String line(Runs ofJob, String connector) {
        Runs own = ofJob.with(connector);
        Run first = own.all().get(0);
        Optional<Double> net = withoutInput(ofJob, connector);
        Optional<Double> ourNet = withoutInput(ofJob, Connector.SLUICE.label());
        boolean ours = connector.equals(Connector.SLUICE.label());
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | %s | %.2f | %d | %d | %s | %s | %s |\n",
                first.job(),
                first.rows() == 0 ? "" : String.format(Locale.ROOT, "%,d", first.rows()),
                connector,
                own.median(Run.Cost::millis) / 1000,
                net.map(millis -> number(millis / 1000)).orElse(""),
                own.median(Run.Cost::cpuMillis) / 1000,
                (long) own.median(Run.Cost::peakMegabytes),
                (long) own.median(Run.Cost::heapMegabytes),
                ours ? "" : ratio(ofJob, connector, Run.Cost::millis),
                ours || net.isEmpty() || ourNet.isEmpty() ? "" : number(net.get() / ourNet.get()),
                ours ? "" : ratio(ofJob, connector, Run.Cost::cpuMillis));
    }

    /** In milliseconds, at least one. */
    private Optional<Double> withoutInput(Runs ofJob, String connector) {
        Runs own = ofJob.with(connector);
        if (own.all().isEmpty()) {
            return Optional.empty();
        }
        Run first = own.all().get(0);
        Runs input = runs.of(first.input(), first.rows()).with(connector);
        return input.all().isEmpty()
                ? Optional.empty()
                : Optional.of(Math.max(1, own.median(Run.Cost::millis) - input.median(Run.Cost::millis)));
    }

    private static String ratio(Runs ofJob, String other, ToLongFunction<Run.Cost> figure) {
        return ofJob.ratio(other, figure).map(ratio -> number(ratio.median())).orElse("");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
