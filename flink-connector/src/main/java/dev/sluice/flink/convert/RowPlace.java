/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.ColumnarRow;
import org.apache.paimon.data.columnar.LongColumnVector;
import org.apache.paimon.utils.OffsetRow;

/**
 * Finds the columns behind a row. A merge gives rows of many files in turn, each behind layers of views, and asking
 * those for one field after the other costs more than the merge itself. Used by one thread.
 */
final class RowPlace {

    private static final ColumnVector[] INDEX = {new Index()};
    private static final ColumnVector[] NONE = {};

    private ColumnVector[] columns = NONE;
    private int before;
    private int index;

    /** Whether the row lies in columns; they stay where they are until the next row is taken. */
    boolean find(InternalRow row) {
        InternalRow inner = row;
        before = 0;
        if (row instanceof OffsetRow value) {
            // Of a row that was stored by key, the view of what is behind the key and the engine's own fields.
            inner = value.getOriginalRow();
            before = inner.getFieldCount() - value.getFieldCount();
        }
        if (!(inner instanceof ColumnarRow columnar)) {
            return false;
        }
        columns = columnar.batch().columns;
        // The one way to learn where a row is: a column that tells.
        index = (int) columnar.copy(INDEX).getLong(0);
        return true;
    }

    ColumnVector[] columns() {
        return columns;
    }

    /** How many columns there are before the row's first. */
    int before() {
        return before;
    }

    /** The row's place in each column. */
    int index() {
        return index;
    }

    private static final class Index implements LongColumnVector {

        @Override
        public long getLong(int i) {
            return i;
        }

        @Override
        public boolean isNullAt(int i) {
            return false;
        }
    }
}
