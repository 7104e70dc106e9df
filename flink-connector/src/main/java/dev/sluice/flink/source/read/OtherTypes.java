/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Fields whose types only the serializer of the running Flink knows, such as VARIANT. A row that has one is written
 * twice.
 */
final class OtherTypes {

    private final RowType type;
    private @Nullable RowDataSerializer serializer;

    /** The fields set in the row that is being written; null if there are none. */
    private @Nullable GenericRowData set;

    OtherTypes(RowType type) {
        this.type = type;
    }

    /** Remembers the field {@code to} of the row that is being written, and leaves it out for now. */
    void set(int to, RowData row, int from) {
        GenericRowData values = set;
        if (values == null) {
            values = new GenericRowData(type.getFieldCount());
            set = values;
        }
        values.setField(to, RowData.createFieldGetter(type.getTypeAt(to), from).getFieldOrNull(row));
    }

    /** @param written a row that lacks the fields that were set since the last one */
    BinaryRowData addTo(BinaryRowData written) {
        GenericRowData values = set;
        if (values == null) {
            return written;
        }
        set = null;
        for (int i = 0; i < type.getFieldCount(); i++) {
            if (values.getField(i) == null) {
                values.setField(
                        i, RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(written));
            }
        }
        values.setRowKind(written.getRowKind());
        if (serializer == null) {
            serializer = new RowDataSerializer(type);
        }
        return serializer.toBinaryRow(values);
    }
}
