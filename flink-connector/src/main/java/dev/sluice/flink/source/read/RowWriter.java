/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.runtime.typeutils.ArrayDataSerializer;
import org.apache.flink.table.runtime.typeutils.MapDataSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.jspecify.annotations.Nullable;

/** Writes rows in Flink's own binary layout, without boxing. Used by one thread; the row it returns is reused. */
final class RowWriter {

    private interface FieldWriter {
        void write(RowData row, int field);
    }

    private final BinaryRowData written;
    private final BinaryRowWriter writer;
    private final FieldWriter[] fields;

    /** Writes whole rows instead of {@link #fields} when one of their types is not written here. */
    private final @Nullable RowDataSerializer fallback;

    RowWriter(RowType type) {
        this.written = new BinaryRowData(type.getFieldCount());
        this.writer = new BinaryRowWriter(written);
        this.fields = new FieldWriter[type.getFieldCount()];
        boolean allWrittenHere = true;
        for (int i = 0; i < fields.length; i++) {
            FieldWriter field = fieldWriter(type.getTypeAt(i));
            if (field == null) {
                allWrittenHere = false;
            } else {
                fields[i] = field;
            }
        }
        this.fallback = allWrittenHere ? null : new RowDataSerializer(type);
    }

    BinaryRowData write(RowData row) {
        if (fallback != null) {
            return fallback.toBinaryRow(row);
        }
        writer.reset();
        writer.writeRowKind(row.getRowKind());
        for (int i = 0; i < fields.length; i++) {
            if (row.isNullAt(i)) {
                writer.setNullAt(i);
            } else {
                fields[i].write(row, i);
            }
        }
        writer.complete();
        return written;
    }

    /** Gives null for types that only Flink's serializer of the running version knows, such as VARIANT. */
    private @Nullable FieldWriter fieldWriter(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> (row, i) -> writer.writeBoolean(i, row.getBoolean(i));
            case TINYINT -> (row, i) -> writer.writeByte(i, row.getByte(i));
            case SMALLINT -> (row, i) -> writer.writeShort(i, row.getShort(i));
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE, INTERVAL_YEAR_MONTH ->
                (row, i) -> writer.writeInt(i, row.getInt(i));
            case BIGINT, INTERVAL_DAY_TIME -> (row, i) -> writer.writeLong(i, row.getLong(i));
            case FLOAT -> (row, i) -> writer.writeFloat(i, row.getFloat(i));
            case DOUBLE -> (row, i) -> writer.writeDouble(i, row.getDouble(i));
            case CHAR, VARCHAR -> (row, i) -> writer.writeString(i, row.getString(i));
            case BINARY, VARBINARY -> (row, i) -> writer.writeBinary(i, row.getBinary(i));
            case DECIMAL -> decimal((DecimalType) type);
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                timestamp(LogicalTypeChecks.getPrecision(type));
            case ARRAY -> array((ArrayType) type);
            case MAP -> map(((MapType) type).getKeyType(), ((MapType) type).getValueType());
            case MULTISET -> map(((MultisetType) type).getElementType(), new IntType(false));
            case ROW -> nested((RowType) type);
            default -> null;
        };
    }

    private FieldWriter decimal(DecimalType type) {
        int precision = type.getPrecision();
        int scale = type.getScale();
        return (row, i) -> writer.writeDecimal(i, row.getDecimal(i, precision, scale), precision);
    }

    private FieldWriter timestamp(int precision) {
        return (row, i) -> writer.writeTimestamp(i, row.getTimestamp(i, precision), precision);
    }

    private FieldWriter array(ArrayType type) {
        ArrayDataSerializer serializer = new ArrayDataSerializer(type.getElementType());
        return (row, i) -> writer.writeArray(i, row.getArray(i), serializer);
    }

    private FieldWriter map(LogicalType key, LogicalType value) {
        MapDataSerializer serializer = new MapDataSerializer(key, value);
        return (row, i) -> writer.writeMap(i, row.getMap(i), serializer);
    }

    private FieldWriter nested(RowType type) {
        RowDataSerializer serializer = new RowDataSerializer(type);
        int fieldCount = type.getFieldCount();
        return (row, i) -> writer.writeRow(i, row.getRow(i, fieldCount), serializer);
    }
}
