/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.ColumnarRow;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;
import org.apache.paimon.reader.RecordReader.RecordIterator;
import org.apache.paimon.utils.OffsetRow;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a merge has chosen, each a place in the columns of one of its runs. Can be taken one by one, or copied by
 * place. Valid until the next rows are read. Used by one thread.
 */
public final class MergedRows implements RecordIterator<InternalRow> {

    /** The key, a sequence number and a kind come before a row's own columns. */
    private final int before;

    private final int[] runs;
    private final int[] indexes;
    private final ColumnarRow[] views;
    private final OffsetRow row;
    private VectorizedColumnBatch[] batches;
    private int size;
    private int taken;

    /** @param before how many columns come before the first of the row */
    MergedRows(int maxRows, int runs, int before, int columns) {
        this.before = before;
        this.runs = new int[maxRows];
        this.indexes = new int[maxRows];
        this.batches = new VectorizedColumnBatch[runs];
        this.views = new ColumnarRow[runs];
        for (int i = 0; i < runs; i++) {
            views[i] = new ColumnarRow();
        }
        this.row = new OffsetRow(columns, before);
    }

    /** @param current each run's batch; null for a run that has ended */
    void start(VectorizedColumnBatch[] current) {
        batches = current;
        for (int i = 0; i < current.length; i++) {
            views[i].setVectorizedColumnBatch(current[i]);
        }
        size = 0;
        taken = 0;
    }

    void add(int run, int index) {
        runs[size] = run;
        indexes[size] = index;
        size++;
    }

    boolean isFull() {
        return size == runs.length;
    }

    public int size() {
        return size;
    }

    /** How many runs there are; some may have none of the rows. */
    public int runs() {
        return views.length;
    }

    /** The run of a row. */
    public int run(int place) {
        return runs[place];
    }

    /** Where in its run's columns a row is. */
    public int index(int place) {
        return indexes[place];
    }

    /** The columns of a run that has one of the rows. */
    public ColumnVector[] columns(int run) {
        return batches[run].columns;
    }

    /** How many columns come before the first of a row. */
    public int before() {
        return before;
    }

    /** The next row that was not taken, valid until the next call; an insertion. */
    @Override
    public @Nullable InternalRow next() {
        if (taken == size) {
            return null;
        }
        ColumnarRow view = views[runs[taken]];
        view.setRowId(indexes[taken++]);
        return row.replace(view);
    }

    /** The rows' columns are let go when the next ones are read. */
    @Override
    public void releaseBatch() {}
}
