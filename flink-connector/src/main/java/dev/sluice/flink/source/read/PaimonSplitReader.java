/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.SplitOpener;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/** Reads splits in the order they were added, on the fetcher's thread; only {@link #wakeUp()} comes from another. */
final class PaimonSplitReader implements SplitReader<RowPage, PaimonSplit> {

    /** A fetch that finds no row that is wanted ends here, so that it can be woken or closed. */
    private static final int MAX_PASSED_OVER = 64 * 1024;

    private final SplitOpener opener;
    private final RowFiller filler;
    private final PagePool pages;
    private final long rowsPerSplit;
    private final CommitLag lag;
    private final Queue<PaimonSplit> waiting = new ArrayDeque<>();
    private @Nullable SplitRows current;
    private long rowsLeft;
    private boolean paused;

    /**
     * @param readType the rows of {@code spec}
     * @param rowsPerSplit how many rows of each split are enough
     */
    PaimonSplitReader(SplitOpener opener, ReadSpec spec, RowType readType, long rowsPerSplit, CommitLag lag) {
        this.opener = opener;
        this.filler = RowFiller.of(readType, opener.layout(), spec);
        this.pages = new PagePool(readType.getFieldCount());
        this.rowsPerSplit = rowsPerSplit;
        this.lag = lag;
    }

    @Override
    public RecordsWithSplitIds<RowPage> fetch() throws IOException {
        SplitRows rows = currentOrNext();
        RowPage page = rows == null ? null : takePage();
        if (rows == null || page == null) {
            return NothingFetched.INSTANCE;
        }
        page.start(rows.splitId());
        boolean finished = fill(page, rows);
        if (finished) {
            current = null;
            rows.close();
        }
        return page.seal(finished);
    }

    private @Nullable SplitRows currentOrNext() throws IOException {
        if (current == null) {
            PaimonSplit split = waiting.poll();
            if (split != null) {
                current = SplitRows.open(split, opener);
                opener.committedMillis(split.split()).ifPresent(millis -> lag.opened(split.splitId(), millis));
                rowsLeft = rowsPerSplit - split.rowsRead();
                filler.startSplit(current);
            }
        }
        return current;
    }

    /** Gives null when woken: Flink wakes the fetcher to tell it something, such as to go on after a pause. */
    private @Nullable RowPage takePage() throws IOException {
        try {
            if (paused) {
                pages.awaitWakeUp();
                return null;
            }
            return pages.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for a page; the reader is being shut down.", e);
        }
    }

    /** @return whether the split has no more rows */
    private boolean fill(RowPage page, SplitRows rows) {
        int passedOver = 0;
        while (!page.isFull() && passedOver < MAX_PASSED_OVER) {
            if (rowsLeft <= 0) {
                return true;
            }
            int added = filler.addBatch(page, rows, rowsLeft);
            if (added == 0) {
                InternalRow row = rows.next();
                if (row == null) {
                    return true;
                }
                if (!rows.wants(row)) {
                    passedOver++;
                    continue;
                }
                filler.add(page, row);
                added = 1;
            }
            rowsLeft -= added;
        }
        return false;
    }

    @Override
    public void handleSplitsChanges(SplitsChange<PaimonSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new IllegalStateException(
                    "Splits of a table are never taken away from a reader, yet it was asked to: " + change
                            + ". This is a bug, please report it.");
        }
        waiting.addAll(change.splits());
    }

    @Override
    public void wakeUp() {
        pages.wakeUp();
    }

    @Override
    public void pauseOrResumeSplits(Collection<PaimonSplit> toPause, Collection<PaimonSplit> toResume) {
        SplitRows rows = current;
        if (rows == null) {
            return;
        }
        if (toPause.stream().anyMatch(split -> split.splitId().equals(rows.splitId()))) {
            paused = true;
        }
        if (toResume.stream().anyMatch(split -> split.splitId().equals(rows.splitId()))) {
            paused = false;
        }
    }

    @Override
    public void close() throws Exception {
        try (opener) {
            if (current != null) {
                current.close();
            }
        }
    }
}
