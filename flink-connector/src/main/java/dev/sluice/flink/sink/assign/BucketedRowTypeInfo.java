/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** The type of the edge from assigners to writers. */
public final class BucketedRowTypeInfo extends TypeInformation<BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> rows;

    public BucketedRowTypeInfo(TypeInformation<RowData> rows) {
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
    public Class<BucketedRow> getTypeClass() {
        return BucketedRow.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<BucketedRow> createSerializer(SerializerConfig config) {
        return new BucketedRowSerializer(rows.createSerializer(config));
    }

    @Override
    public String toString() {
        return "BucketedRow(" + rows + ")";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BucketedRowTypeInfo that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof BucketedRowTypeInfo;
    }
}
