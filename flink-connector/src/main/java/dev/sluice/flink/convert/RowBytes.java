/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * Rows in Flink's binary layout, one behind the other in one piece of memory that is used again. Filled by one thread,
 * read by one, never both at once.
 */
public final class RowBytes {

    private static final int INITIAL_BYTES = 16 * 1024;

    private final int[] starts;

    /** For each row that is being written, where the next of its parts of variable length goes. */
    private final int[] cursors;

    private MemorySegment segment = MemorySegmentFactory.wrap(new byte[INITIAL_BYTES]);
    private int rows;

    public RowBytes(int maxRows) {
        this.starts = new int[maxRows + 1];
        this.cursors = new int[maxRows];
    }

    /** @param keptBytes memory beyond this is let go */
    public void clear(int keptBytes) {
        if (segment.size() > keptBytes) {
            segment = MemorySegmentFactory.wrap(new byte[INITIAL_BYTES]);
        }
        rows = 0;
    }

    public int rows() {
        return rows;
    }

    public int maxRows() {
        return cursors.length;
    }

    public int usedBytes() {
        return starts[rows];
    }

    /** Where the row begins; the one behind the last begins where the last ends. */
    public int start(int row) {
        return starts[row];
    }

    /** Another one once rows are added. */
    public MemorySegment segment() {
        return segment;
    }

    byte[] array() {
        return segment.getArray();
    }

    int[] starts() {
        return starts;
    }

    int[] cursors() {
        return cursors;
    }

    public void add(BinaryRowData row) {
        int start = usedBytes();
        int size = row.getSizeInBytes();
        reserve(Math.addExact(start, size));
        row.getSegments()[0].get(row.getOffset(), array(), start, size);
        ended(start + size);
    }

    /** A row is ended where nothing is written any more. */
    void ended(int end) {
        starts[++rows] = end;
    }

    /**
     * Makes room for rows behind the last, all zero.
     *
     * @param sizes in bytes, by row
     */
    void extend(int[] sizes, int count, int fixedSize) {
        int from = usedBytes();
        int end = from;
        for (int i = 0; i < count; i++) {
            cursors[rows + i] = end + fixedSize;
            end += sizes[rows + i];
            starts[rows + i + 1] = end;
        }
        reserve(end);
        Arrays.fill(array(), from, end, (byte) 0);
        rows += count;
    }

    /** What was there before keeps its place. */
    void reserve(int end) {
        byte[] bytes = array();
        if (end > bytes.length) {
            segment = MemorySegmentFactory.wrap(Arrays.copyOf(
                    bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(end, 2L * bytes.length))));
        }
    }
}
