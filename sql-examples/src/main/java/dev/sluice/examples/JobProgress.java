/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The lines that tell how far an INSERT is. */
final class JobProgress {

    private final PrintStream out;
    private final LongSupplier rows;
    private final SnapshotCounts snapshots;
    private final long startNanos;
    private long shownNanos;
    private long shownRows;

    /** @param rows so far; asked at each line */
    JobProgress(PrintStream out, LongSupplier rows, SnapshotCounts snapshots, long startNanos) {
        this.out = out;
        this.rows = rows;
        this.snapshots = snapshots;
        this.startNanos = startNanos;
        this.shownNanos = startNanos;
    }

    /** Rows a second are those since the line before. */
    void line(long nowNanos) {
        long now = rows.getAsLong();
        out.printf(
                Locale.ROOT,
                "  %5.1f s  %,12d rows  %,10.0f rows/s  %s%n",
                (nowNanos - startNanos) / 1e9,
                now,
                (now - shownRows) / Math.max(1e-3, (nowNanos - shownNanos) / 1e9),
                snapshots.committed());
        shownRows = now;
        shownNanos = nowNanos;
    }

    /** Rows a second are those of the whole statement, its planning included. */
    void end(long nowNanos) {
        long all = rows.getAsLong();
        double seconds = Math.max(1e-3, (nowNanos - startNanos) / 1e9);
        out.printf(
                Locale.ROOT,
                "  %,d %s in %.1f s (%,.0f rows/s)  %s%n",
                all,
                all == 1 ? "row" : "rows",
                seconds,
                all / seconds,
                snapshots.committed());
    }
}
