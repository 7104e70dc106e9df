/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.types.RowType;

/** Gives changes that belong together the same number, so that spreading rows by it keeps them in order. */
final class RowHash implements KeySelector<RowData, Integer> {

    private static final long serialVersionUID = 1L;

    private final RowData.FieldGetter[] fields;

    private RowHash(RowData.FieldGetter[] fields) {
        this.fields = fields;
    }

    /**
     * By the primary key where it is read. Otherwise nothing behind the source can tell rows apart by more than their
     * content, and a retraction has the content of the row it takes back.
     */
    static RowHash of(RowType readType, List<String> primaryKeys) {
        org.apache.flink.table.types.logical.RowType type = LogicalTypeConversion.toLogicalType(readType);
        boolean keyed = readType.getFieldNames().containsAll(primaryKeys);
        return new RowHash(IntStream.range(0, type.getFieldCount())
                .filter(i ->
                        keyed ? primaryKeys.contains(readType.getFieldNames().get(i)) : isScalar(type.getTypeAt(i)))
                .mapToObj(i -> RowData.createFieldGetter(type.getTypeAt(i), i))
                .toArray(RowData.FieldGetter[]::new));
    }

    private static boolean isScalar(LogicalType type) {
        return type.getChildren().isEmpty()
                && !type.is(LogicalTypeRoot.RAW)
                && !type.is(LogicalTypeRoot.STRUCTURED_TYPE);
    }

    @Override
    public Integer getKey(RowData row) {
        int hash = 1;
        for (RowData.FieldGetter field : fields) {
            Object value = field.getFieldOrNull(row);
            int one = value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value == null ? 0 : value.hashCode();
            hash = 31 * hash + one;
        }
        return hash;
    }
}
