/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/** The way to a field inside a column of type ROW. */
final class NestedField {

    private final int[] steps;

    /** How many fields the row has that each step but the last leads into. */
    private final int[] arities;

    private NestedField(int[] steps, int[] arities) {
        this.steps = steps;
        this.arities = arities;
    }

    static NestedField at(int[] path, RowType rowType) {
        int[] arities = new int[path.length - 1];
        RowType row = rowType;
        for (int i = 0; i < arities.length; i++) {
            row = (RowType) row.getTypeAt(path[i]);
            arities[i] = row.getFieldCount();
        }
        return new NestedField(path, arities);
    }

    /** The row that has the field, or null if it or one around it is null. */
    @Nullable
    RowData parent(RowData row) {
        RowData inner = row;
        for (int i = 0; i < arities.length; i++) {
            if (inner.isNullAt(steps[i])) {
                return null;
            }
            inner = inner.getRow(steps[i], arities[i]);
        }
        return inner;
    }

    /** The field's place in its parent. */
    int field() {
        return steps[steps.length - 1];
    }
}
