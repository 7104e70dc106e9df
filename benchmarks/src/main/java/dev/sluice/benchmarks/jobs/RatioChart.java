/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.jobs.Chart.Anchor;
import dev.sluice.benchmarks.jobs.Chart.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How many times as fast Sluice is: a bar for each job and each other connector, from the line at 1. */
final class RatioChart {

    private static final int WIDTH = 900;
    private static final int TOP = 88;
    private static final int LEFT = 196;
    private static final int RIGHT = 660;
    /** For the ratio beside the longest bar. */
    private static final int LABEL = 50;

    private static final int BAR = 13;
    private static final int BETWEEN_JOBS = 11;
    private static final int OURS = 770;
    private static final int THEIRS = 872;

    /** Ours and theirs are seconds, medians of the runs. */
    private record Bar(String job, String other, Runs.Ratio ratio, double ours, double theirs) {}

    private RatioChart() {}

    /** Empty if no job has run with two connectors. */
    static String draw(Runs runs, long rows) {
        List<Bar> bars = bars(runs, rows);
        if (bars.isEmpty()) {
            return "";
        }
        List<String> others = bars.stream().map(Bar::other).distinct().toList();
        long jobs = bars.stream().map(Bar::job).distinct().count();
        int bottom = (int) (TOP + bars.size() * BAR + jobs * BETWEEN_JOBS);
        String title = "How many times as fast Sluice is, "
                + (rows == 0 ? "jobs of a fixed size" : String.format(Locale.ROOT, "%,d rows", rows));
        Chart chart = new Chart(WIDTH, bottom + 34, title);
        chart.heading(20, 30, title);
        chart.text(
                new Point(20, 49),
                Anchor.START,
                Chart.FAINT,
                "Median of the ratios of runs side by side; whiskers: the least and the greatest. Right of 1, Sluice is faster.");
        LogScale scale = scale(bars);
        axis(chart, scale, bottom);
        chart.text(new Point(OURS, TOP - 10), Anchor.END, Chart.FAINT, "Sluice, s");
        chart.text(
                new Point(THEIRS, TOP - 10),
                Anchor.END,
                Chart.FAINT,
                others.size() == 1 ? others.get(0) + ", s" : "other, s");
        double y = TOP;
        String job = "";
        for (Bar bar : bars) {
            if (!bar.job().equals(job)) {
                y += BETWEEN_JOBS;
                job = bar.job();
                chart.text(new Point(LEFT - 14, y + BAR - 3), Anchor.END, Chart.INK, job);
                chart.text(new Point(OURS, y + BAR - 3), Anchor.END, Chart.INK, seconds(bar.ours()));
            }
            bar(chart, scale, bar, y);
            chart.text(
                    new Point(THEIRS, y + BAR - 3),
                    Anchor.END,
                    Chart.INK,
                    (others.size() == 1 ? "" : bar.other() + " ") + seconds(bar.theirs()));
            y += BAR;
        }
        return chart.svg();
    }

    private static List<Bar> bars(Runs runs, long rows) {
        List<Bar> bars = new ArrayList<>();
        for (String job : runs.jobs()) {
            Runs ofJob = runs.of(job, rows);
            for (String other : ofJob.connectors()) {
                if (!other.equals(Connector.SLUICE.label())) {
                    ofJob.ratio(other, Run.Cost::millis)
                            .ifPresent(ratio -> bars.add(new Bar(
                                    job,
                                    other,
                                    ratio,
                                    ofJob.with(Connector.SLUICE.label()).median(Run.Cost::millis) / 1000,
                                    ofJob.with(other).median(Run.Cost::millis) / 1000)));
                }
            }
        }
        return bars;
    }

    private static LogScale scale(List<Bar> bars) {
        double least =
                bars.stream().mapToDouble(bar -> bar.ratio().least()).min().orElse(1);
        double most = bars.stream().mapToDouble(bar -> bar.ratio().most()).max().orElse(1);
        return new LogScale(Math.min(0.8, least), Math.max(1.6, most), LEFT + LABEL, RIGHT - LABEL);
    }

    private static void axis(Chart chart, LogScale scale, int bottom) {
        for (double tick : scale.ticks()) {
            double x = scale.at(tick);
            chart.line(new Point(x, TOP), new Point(x, bottom + 6), Chart.GRID, 1);
            chart.text(new Point(x, TOP - 10), Anchor.MIDDLE, Chart.FAINT, number(tick) + "×");
        }
        double one = scale.at(1);
        chart.line(new Point(one, TOP - 4), new Point(one, bottom + 6), Chart.FAINT, 1.5);
    }

    private static void bar(Chart chart, LogScale scale, Bar bar, double y) {
        double from = scale.at(1);
        double to = scale.at(bar.ratio().median());
        double middle = y + BAR / 2.0;
        chart.box(new Point(Math.min(from, to), y + 1), Math.abs(to - from), BAR - 2, Palette.of(bar.other()));
        double least = scale.at(bar.ratio().least());
        double most = scale.at(bar.ratio().most());
        chart.line(new Point(least, middle), new Point(most, middle), Chart.INK, 1);
        for (double end : new double[] {least, most}) {
            chart.line(new Point(end, middle - 3), new Point(end, middle + 3), Chart.INK, 1);
        }
        boolean faster = bar.ratio().median() >= 1;
        chart.strong(
                new Point(faster ? Math.max(from, most) + 6 : Math.min(from, least) - 6, y + BAR - 3),
                faster ? Anchor.START : Anchor.END,
                String.format(Locale.ROOT, "%.2f×", bar.ratio().median()));
    }

    private static String number(double tick) {
        return String.format(Locale.ROOT, tick < 0.1 ? "%.2f" : tick >= 10 ? "%.0f" : "%.1f", tick);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }
}
