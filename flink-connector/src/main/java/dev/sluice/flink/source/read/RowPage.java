/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import java.util.Arrays;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of rows of one split, in memory that the page owns. The fetcher thread fills it, hands it over
 * through the reader's queue, and the task thread reads it and gives it back; never both at once. The engine's rows
 * and vectors are reused by the engine, so what crosses the threads is a copy of them in Flink's binary layout, made
 * where decoding and merging happen.
 */
final class RowPage implements RecordsWithSplitIds<RowData> {

    static final int MAX_ROWS = 1024;

    /** A page stops growing here; one row that is larger still gets a page of its own. */
    static final int TARGET_BYTES = 256 * 1024;

    /** A page that had to grow beyond this for a large row does not keep that memory. */
    private static final int KEPT_BYTES = 4 * TARGET_BYTES;

    private static final int INITIAL_BYTES = 16 * 1024;

    private final PagePool pool;
    private final BinaryRowData view;
    private final int[] ends = new int[MAX_ROWS];
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int rows;

    private @Nullable MemorySegment segment;
    private @Nullable String splitId;
    private boolean splitFinished;
    private boolean splitTaken;
    private int next;

    RowPage(PagePool pool, int arity) {
        this.pool = pool;
        this.view = new BinaryRowData(arity);
    }

    /** Empties the page for rows of this split. */
    void start(String split) {
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
        rows = 0;
        next = 0;
        splitId = split;
        splitFinished = false;
        splitTaken = false;
        segment = null;
    }

    boolean isFull() {
        return rows == MAX_ROWS || usedBytes() >= TARGET_BYTES;
    }

    void add(BinaryRowData row) {
        int start = usedBytes();
        int size = row.getSizeInBytes();
        int end = Math.addExact(start, size);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
        }
        row.getSegments()[0].get(row.getOffset(), bytes, start, size);
        ends[rows++] = end;
    }

    private int usedBytes() {
        return rows == 0 ? 0 : ends[rows - 1];
    }

    /** @param finished whether these are the split's last rows */
    RowPage seal(boolean finished) {
        splitFinished = finished;
        segment = MemorySegmentFactory.wrap(bytes);
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

    @Override
    public @Nullable RowData nextRecordFromSplit() {
        if (next == rows || segment == null) {
            return null;
        }
        int start = next == 0 ? 0 : ends[next - 1];
        view.pointTo(segment, start, ends[next] - start);
        next++;
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
