/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Writes the key values of a row so that equal keys have equal bytes, whatever kind of row they come from. Not safe for
 * several threads.
 */
final class KeyEncoder {

    private interface ValueWriter {
        /** Copies one value, which is not NULL, into its place in the key. */
        void write(RowData row, int position, BinaryRowWriter key, int keyPosition);
    }

    private final int[] positions;
    private final ValueWriter[] writers;
    private final BinaryRowData key;
    private final BinaryRowWriter keyWriter;

    /**
     * @param rowTypes types of all columns of the rows to come
     * @param keys positions of the key columns in those rows
     */
    KeyEncoder(List<LogicalType> rowTypes, List<Integer> keys) {
        positions = keys.stream().mapToInt(Integer::intValue).toArray();
        writers = keys.stream().map(rowTypes::get).map(KeyEncoder::writer).toArray(ValueWriter[]::new);
        key = new BinaryRowData(positions.length);
        keyWriter = new BinaryRowWriter(key);
    }

    private static ValueWriter writer(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case CHAR, VARCHAR -> (row, from, key, to) -> key.writeString(to, row.getString(from));
            case BOOLEAN -> (row, from, key, to) -> key.writeBoolean(to, row.getBoolean(from));
            case BINARY, VARBINARY -> (row, from, key, to) -> key.writeBinary(to, row.getBinary(from));
            case TINYINT -> (row, from, key, to) -> key.writeByte(to, row.getByte(from));
            case SMALLINT -> (row, from, key, to) -> key.writeShort(to, row.getShort(from));
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> (row, from, key, to) -> key.writeInt(to, row.getInt(from));
            case BIGINT -> (row, from, key, to) -> key.writeLong(to, row.getLong(from));
            // SQL holds 0.0 and -0.0 for equal, but their bytes differ; the sum is 0.0 for both.
            case FLOAT -> (row, from, key, to) -> key.writeFloat(to, row.getFloat(from) + 0.0f);
            case DOUBLE -> (row, from, key, to) -> key.writeDouble(to, row.getDouble(from) + 0.0d);
            case DECIMAL -> decimal((DecimalType) type);
            case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp(((TimestampType) type).getPrecision());
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> timestamp(((LocalZonedTimestampType) type).getPrecision());
            default -> throw new IllegalArgumentException("Values of type " + type + " cannot be a lookup key.");
        };
    }

    private static ValueWriter decimal(DecimalType type) {
        int precision = type.getPrecision();
        int scale = type.getScale();
        return (row, from, key, to) -> key.writeDecimal(to, row.getDecimal(from, precision, scale), precision);
    }

    private static ValueWriter timestamp(int precision) {
        return (row, from, key, to) -> key.writeTimestamp(to, row.getTimestamp(from, precision), precision);
    }

    /**
     * @return the key, reused by the next call; null if one of its values is NULL, which equals nothing. Values of a probe
     *     arrive from another table, so a NULL is possible where the column itself has none
     */
    @Nullable
    BinaryRowData encode(RowData row) {
        keyWriter.reset();
        for (int i = 0; i < positions.length; i++) {
            if (row.isNullAt(positions[i])) {
                return null;
            }
            writers[i].write(row, positions[i], keyWriter, i);
        }
        keyWriter.complete();
        return key;
    }
}
