/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** The type of the edge to the assigners of a table whose keys move between partitions. */
final class KeyOrRowTypeInfo extends TypeInformation<KeyOrRow> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> rows;

    KeyOrRowTypeInfo(TypeInformation<RowData> rows) {
        this.rows = rows;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<KeyOrRow> getTypeClass() {
        return KeyOrRow.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<KeyOrRow> createSerializer(SerializerConfig config) {
        return new KeyOrRowSerializer(rows.createSerializer(config));
    }

    @Override
    public String toString() {
        return "KeyOrRow(" + rows + ")";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyOrRowTypeInfo that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof KeyOrRowTypeInfo;
    }
}
