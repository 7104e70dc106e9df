/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Rows as bytes on their way to where threads have to take turns, which costs less by batch than by row. For one thread. */
final class RowBatch {

    private static final int BYTES = 1 << 16;

    private final BinaryRowData reused;
    private MemorySegment bytes = MemorySegmentFactory.wrap(new byte[BYTES]);
    private int[] ends = new int[BYTES >> 6];
    private int count;

    /** @param arity how many columns the rows have */
    RowBatch(int arity) {
        reused = new BinaryRowData(arity);
    }

    /** @param row copied */
    void add(BinaryRowData row) {
        BinaryRowData whole = row.getSegments().length == 1 ? row : row.copy();
        int start = end();
        int end = start + whole.getSizeInBytes();
        if (end > bytes.size()) {
            bytes = MemorySegmentFactory.wrap(Arrays.copyOf(bytes.getArray(), end));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        whole.getSegments()[0].copyTo(whole.getOffset(), bytes, start, whole.getSizeInBytes());
        ends[count++] = end;
    }

    private int end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    boolean isFull() {
        return end() > BYTES / 4 * 3;
    }

    int size() {
        return count;
    }

    /** @return reused by the next call */
    BinaryRowData get(int index) {
        int start = index == 0 ? 0 : ends[index - 1];
        reused.pointTo(bytes, start, ends[index] - start);
        return reused;
    }

    void clear() {
        count = 0;
    }
}
