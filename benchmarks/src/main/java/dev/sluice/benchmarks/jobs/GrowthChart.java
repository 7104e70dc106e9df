/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.jobs.Chart.Anchor;
import dev.sluice.benchmarks.jobs.Chart.Point;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** How the time of each job grows with the rows: a panel for each, both axes logarithmic, a curve for each connector. */
final class GrowthChart {

    private static final int COLUMNS = 3;
    private static final int PANEL_WIDTH = 290;
    private static final int PANEL_HEIGHT = 216;
    private static final int TOP = 84;
    private static final int MARGIN = 20;

    private final Runs runs;

    private GrowthChart(Runs runs) {
        this.runs = runs;
    }

    /** Empty if no job has run with more than one number of rows. */
    static String draw(Runs runs) {
        return new GrowthChart(runs).draw();
    }

    private String draw() {
        List<String> jobs =
                runs.jobs().stream().filter(job -> sizes(job).size() > 1).toList();
        if (jobs.isEmpty()) {
            return "";
        }
        int columns = Math.min(COLUMNS, jobs.size());
        int lines = (jobs.size() + columns - 1) / columns;
        String title = "Seconds of a job by rows of its table";
        Chart chart = new Chart(
                Math.max(columns * PANEL_WIDTH + 2 * MARGIN, 420), TOP + lines * PANEL_HEIGHT + MARGIN / 2, title);
        chart.heading(MARGIN, 30, title);
        legend(chart);
        for (int i = 0; i < jobs.size(); i++) {
            panel(
                    chart,
                    jobs.get(i),
                    new Point(MARGIN + i % columns * PANEL_WIDTH, TOP + Math.floorDiv(i, columns) * PANEL_HEIGHT));
        }
        return chart.svg();
    }

    private void legend(Chart chart) {
        double x = MARGIN;
        for (String connector : runs.connectors()) {
            chart.curve(List.of(new Point(x, 51), new Point(x + 18, 51)), Palette.of(connector));
            chart.text(new Point(x + 27, 55), Anchor.START, Chart.INK, connector);
            x += 100;
        }
        chart.text(new Point(x, 55), Anchor.START, Chart.FAINT, "medians; both axes logarithmic");
    }

    private List<Long> sizes(String job) {
        return runs.sizes().stream()
                .filter(rows -> !runs.of(job, rows).all().isEmpty())
                .toList();
    }

    private void panel(Chart chart, String job, Point corner) {
        List<Long> sizes = sizes(job);
        double left = corner.x() + 44;
        double right = corner.x() + PANEL_WIDTH - 26;
        double top = corner.y() + 24;
        double bottom = corner.y() + PANEL_HEIGHT - 40;
        LogScale across = new LogScale(sizes.get(0), sizes.get(sizes.size() - 1), left + 12, right - 12);
        LogScale up = seconds(job, sizes, bottom, top);
        chart.strong(new Point(left, corner.y() + 12), Anchor.START, job);
        for (double tick : up.ticks()) {
            chart.line(new Point(left, up.at(tick)), new Point(right, up.at(tick)), Chart.GRID, 1);
            chart.text(new Point(left - 6, up.at(tick) + 4), Anchor.END, Chart.FAINT, number(tick));
        }
        for (long rows : sizes) {
            double x = across.at((double) rows);
            chart.line(new Point(x, top), new Point(x, bottom), Chart.GRID, 1);
            chart.text(new Point(x, bottom + 16), Anchor.MIDDLE, Chart.FAINT, rows(rows));
        }
        chart.line(new Point(left, bottom), new Point(right, bottom), Chart.FAINT, 1);
        for (String connector : runs.connectors()) {
            List<Point> points = sizes.stream()
                    .filter(rows -> !of(job, rows, connector).all().isEmpty())
                    .map(rows -> new Point(across.at(rows), up.at(median(job, rows, connector))))
                    .toList();
            if (!points.isEmpty()) {
                chart.curve(points, Palette.of(connector));
            }
        }
    }

    private LogScale seconds(String job, List<Long> sizes, double bottom, double top) {
        double[] medians = sizes.stream()
                .flatMap(
                        rows -> runs.of(job, rows).connectors().stream().map(connector -> median(job, rows, connector)))
                .mapToDouble(Double::doubleValue)
                .toArray();
        double least = DoubleStream.of(medians).min().orElse(1);
        double most = DoubleStream.of(medians).max().orElse(1);
        // At least a tenfold of height, so that a flat line looks flat.
        double spread = Math.max(1.15, Math.sqrt(10 / (most / least)));
        return new LogScale(least / spread, most * spread, bottom, top);
    }

    private Runs of(String job, long rows, String connector) {
        return runs.of(job, rows).with(connector);
    }

    /** Never 0, which has no place on a logarithmic axis. */
    private double median(String job, long rows, String connector) {
        return Math.max(1, of(job, rows, connector).median(Run.Cost::millis)) / 1000;
    }

    private static String number(double tick) {
        return String.format(
                Locale.ROOT, tick < 0.01 ? "%.3f" : tick < 0.1 ? "%.2f" : tick >= 10 ? "%.0f" : "%.1f", tick);
    }

    private static String rows(long rows) {
        return rows >= 1_000_000
                ? String.format(Locale.ROOT, rows % 1_000_000 == 0 ? "%.0f M" : "%.1f M", rows / 1e6)
                : String.format(Locale.ROOT, "%.0f k", rows / 1e3);
    }
}
