/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.convert.RowBytes;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of rows of one split, in memory that the page owns. The fetcher thread fills it, hands it over
 * through the reader's queue, and the task thread reads it and gives it back; never both at once. The engine's rows
 * and vectors are reused by the engine, so what crosses the threads is a copy of them in Flink's binary layout, made
 * where decoding and merging happen.
 *
 * <p>As a record of the queue the page stands for its next rows, so many as are emitted in one turn of the task's
 * mailbox.
 */
final class RowPage implements RecordsWithSplitIds<RowPage> {

    static final int MAX_ROWS = 1024;

    /** What else waits in the mailbox, such as a barrier, waits for so many rows at most. */
    static final int ROWS_PER_TURN = 128;

    /** A page stops growing here; one row that is larger still gets a page of its own. */
    static final int TARGET_BYTES = 256 * 1024;

    /** A page that had to grow beyond this for a large row does not keep that memory. */
    private static final int KEPT_BYTES = 4 * TARGET_BYTES;

    private final PagePool pool;
    private final BinaryRowData view;
    private final MemorySegment[] segments = new MemorySegment[1];
    private final RowBytes rows = new RowBytes(MAX_ROWS);

    private @Nullable String splitId;
    private boolean splitFinished;
    private boolean splitTaken;
    private int next;
    private int turnEnd;

    RowPage(PagePool pool, int arity) {
        this.pool = pool;
        this.view = new BinaryRowData(arity);
    }

    /** Empties the page for rows of this split. */
    void start(String split) {
        rows.clear(KEPT_BYTES);
        next = 0;
        turnEnd = 0;
        splitId = split;
        splitFinished = false;
        splitTaken = false;
    }

    /** Where rows are added, until the page is sealed. */
    RowBytes rows() {
        return rows;
    }

    boolean isFull() {
        return rows.rows() == MAX_ROWS || rows.usedBytes() >= TARGET_BYTES;
    }

    /** @param finished whether these are the split's last rows */
    RowPage seal(boolean finished) {
        splitFinished = finished;
        segments[0] = rows.segment();
        return this;
    }

    @Override
    public @Nullable String nextSplit() {
        if (splitTaken) {
            return null;
        }
        splitTaken = true;
        return splitId;
    }

    /** This page, set to the rows of the next turn, or null behind the last. */
    @Override
    public @Nullable RowPage nextRecordFromSplit() {
        next = turnEnd;
        if (next == rows.rows()) {
            return null;
        }
        turnEnd = Math.min(next + ROWS_PER_TURN, rows.rows());
        return this;
    }

    /** The turn's next row, the same object each time, or null behind its last. */
    @Nullable
    RowData nextOfTurn() {
        if (next == turnEnd) {
            return null;
        }
        int start = rows.start(next);
        next++;
        view.pointTo(segments, start, rows.start(next) - start);
        return view;
    }

    @Override
    public Set<String> finishedSplits() {
        return splitFinished && splitId != null ? Set.of(splitId) : Set.of();
    }

    @Override
    public void recycle() {
        pool.give(this);
    }
}
