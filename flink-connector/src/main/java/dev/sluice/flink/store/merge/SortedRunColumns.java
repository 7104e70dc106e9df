/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ByteColumnVector;
import org.apache.paimon.data.columnar.ColumnarRow;
import org.apache.paimon.data.columnar.LongColumnVector;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;
import org.apache.paimon.data.columnar.VectorizedRowIterator;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReader.RecordIterator;
import org.apache.paimon.utils.OffsetRow;
import org.jspecify.annotations.Nullable;

/** The rows of a sorted run, a batch of columns at a time. Used by one thread. */
final class SortedRunColumns implements AutoCloseable {

    /** Opens the next file of a run. */
    @FunctionalInterface
    interface File {
        RecordReader<InternalRow> open() throws IOException;
    }

    private final Iterator<File> files;
    private final KeyOrder order;
    private final int keyFields;
    private final ColumnarRow row = new ColumnarRow();
    private final OffsetRow value;
    private @Nullable RecordReader<InternalRow> reader;
    private @Nullable RecordIterator<InternalRow> iterator;
    private @Nullable VectorizedColumnBatch batch;
    private long[] numbers = {};

    // Set with the batch. The fields of a stored row are its key, its sequence number, its kind, its columns.
    private @Nullable LongColumnVector sequence;
    private @Nullable ByteColumnVector kinds;
    private int rows;

    /** The row that is compared with those of other runs. */
    private int head;

    SortedRunColumns(List<File> files, KeyOrder order, int keyFields, int valueFields) {
        this.files = files.iterator();
        this.order = order;
        this.keyFields = keyFields;
        this.value = new OffsetRow(valueFields, keyFields + 2);
    }

    /**
     * Goes on to the next batch that has rows; the last one's columns are no longer valid. There is none if the run has
     * ended.
     *
     * @throws NotColumnsException if rows do not come as columns
     */
    void load() throws IOException {
        release();
        while (true) {
            if (reader == null) {
                if (!files.hasNext()) {
                    return;
                }
                reader = files.next().open();
            }
            RecordIterator<InternalRow> next = reader.readBatch();
            if (next == null) {
                RecordReader<InternalRow> ended = reader;
                reader = null;
                ended.close();
                continue;
            }
            iterator = next;
            // Exactly this class, since what is derived from it or wraps it may leave rows out.
            if (next.getClass() != VectorizedRowIterator.class) {
                throw new NotColumnsException(next.getClass());
            }
            VectorizedColumnBatch columns = ((VectorizedRowIterator) next).batch();
            if (columns.getNumRows() > 0) {
                start(columns);
                return;
            }
            release();
        }
    }

    private void start(VectorizedColumnBatch columns) {
        batch = columns;
        rows = columns.getNumRows();
        head = 0;
        sequence = (LongColumnVector) columns.columns[keyFields];
        kinds = (ByteColumnVector) columns.columns[keyFields + 1];
        if (numbers.length < rows) {
            numbers = new long[rows];
        }
        order.number(columns.columns[0], rows, numbers);
        row.setVectorizedColumnBatch(columns);
    }

    private void release() {
        batch = null;
        if (iterator != null) {
            iterator.releaseBatch();
            iterator = null;
        }
    }

    /** Null before the first and behind the last. */
    @Nullable
    VectorizedColumnBatch batch() {
        return batch;
    }

    int rows() {
        return rows;
    }

    int head() {
        return head;
    }

    /** @return whether the batch has no more rows */
    boolean advance() {
        return ++head == rows;
    }

    /** Of the head's key, see {@link KeyOrder}. */
    long number() {
        return numbers[head];
    }

    long number(int index) {
        return numbers[index];
    }

    /** Begins with the key; valid until this is called again. */
    InternalRow row(int index) {
        row.setRowId(index);
        return row;
    }

    /** The columns of the head; valid until this or {@link #row} is called again. */
    InternalRow value() {
        return value.replace(row(head));
    }

    @SuppressWarnings("NullAway") // There is a batch when rows are asked for, and the column with it.
    long sequence() {
        return sequence.getLong(head);
    }

    /** The kind of a row as the engine numbers it. */
    @SuppressWarnings("NullAway") // As above.
    byte kind(int index) {
        return kinds.getByte(index);
    }

    @Override
    public void close() throws IOException {
        release();
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
