/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/** Takes fields out of rows, at any depth; a field of a NULL row is NULL. */
final class NestedFields implements Serializable {

    private static final long serialVersionUID = 1L;

    private final RowData.FieldGetter[][] steps;

    private NestedFields(RowData.FieldGetter[][] steps) {
        this.steps = steps;
    }

    /** @param paths for each field its way inwards through rows of {@code type} */
    static NestedFields of(RowType type, int[][] paths) {
        RowData.FieldGetter[][] steps = new RowData.FieldGetter[paths.length][];
        for (int i = 0; i < paths.length; i++) {
            steps[i] = new RowData.FieldGetter[paths[i].length];
            LogicalType row = type;
            for (int depth = 0; depth < paths[i].length; depth++) {
                LogicalType field = ((RowType) row).getTypeAt(paths[i][depth]);
                steps[i][depth] = RowData.createFieldGetter(field, paths[i][depth]);
                row = field;
            }
        }
        return new NestedFields(steps);
    }

    Collection<RowData> of(Collection<RowData> rows) {
        List<RowData> taken = new ArrayList<>(rows.size());
        for (RowData row : rows) {
            GenericRowData fields = new GenericRowData(row.getRowKind(), steps.length);
            for (int i = 0; i < steps.length; i++) {
                fields.setField(i, field(row, steps[i]));
            }
            taken.add(fields);
        }
        return taken;
    }

    private static @Nullable Object field(RowData row, RowData.FieldGetter[] steps) {
        Object value = row;
        for (RowData.FieldGetter step : steps) {
            value = value instanceof RowData inner ? step.getFieldOrNull(inner) : null;
        }
        return value;
    }
}
