/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;
import org.jspecify.annotations.Nullable;

/**
 * Writes the key values of a row so that equal keys have equal bytes, whatever kind of row they come from. Not safe for
 * several threads.
 */
final class KeyEncoder {

    private final List<RowData.FieldGetter> getters;
    private final GenericRowData values;
    private final RowDataSerializer serializer;

    /**
     * @param rowTypes types of all columns of the rows to come
     * @param keys positions of the key columns in those rows
     */
    KeyEncoder(List<LogicalType> rowTypes, List<Integer> keys) {
        List<LogicalType> keyTypes = keys.stream().map(rowTypes::get).toList();
        values = new GenericRowData(keys.size());
        serializer = new RowDataSerializer(keyTypes.toArray(LogicalType[]::new));
        getters = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            getters.add(getter(keyTypes.get(i), keys.get(i)));
        }
    }

    /** Values of a probe arrive from another table, so a NULL is possible where the column itself has none. */
    private static RowData.FieldGetter getter(LogicalType type, int position) {
        RowData.FieldGetter getter = RowData.createFieldGetter(type.copy(true), position);
        // SQL holds 0.0 and -0.0 for equal, but their bytes differ; the sum is 0.0 for both.
        return switch (type.getTypeRoot()) {
            case FLOAT -> row -> getter.getFieldOrNull(row) instanceof Float value ? value + 0.0f : null;
            case DOUBLE -> row -> getter.getFieldOrNull(row) instanceof Double value ? value + 0.0d : null;
            default -> getter;
        };
    }

    /** @return the key, reused by the next call; null if one of its values is NULL, which equals nothing */
    @Nullable
    BinaryRowData encode(RowData row) {
        for (int i = 0; i < getters.size(); i++) {
            Object value = getters.get(i).getFieldOrNull(row);
            if (value == null) {
                return null;
            }
            values.setField(i, value);
        }
        return serializer.toBinaryRow(values);
    }
}
