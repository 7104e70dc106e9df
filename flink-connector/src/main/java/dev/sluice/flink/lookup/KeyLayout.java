/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;

/** Compares a key with the same columns inside a row, both as bytes, without decoding either. Immutable. */
final class KeyLayout {

    private enum Kind {
        ONE_BYTE,
        TWO_BYTES,
        FOUR_BYTES,
        EIGHT_BYTES,
        FLOAT,
        DOUBLE,
        /** An offset and a length, or up to seven bytes in place. */
        BYTES,
        /** An offset and a length, always. */
        LONG_DECIMAL,
        /** An offset of the milliseconds, and the nanoseconds. */
        LONG_TIMESTAMP
    }

    private static final long IN_PLACE = 1L << 63;

    private final Kind[] kinds;
    private final int[] offsetsInKey;
    private final int[] offsetsInRow;

    /**
     * @param rowTypes types of the row's columns
     * @param keys positions in the row of the key's columns, in the key's order
     */
    KeyLayout(List<LogicalType> rowTypes, List<Integer> keys) {
        kinds = new Kind[keys.size()];
        offsetsInKey = new int[keys.size()];
        offsetsInRow = new int[keys.size()];
        int keyHeader = BinaryRowData.calculateBitSetWidthInBytes(keys.size());
        int rowHeader = BinaryRowData.calculateBitSetWidthInBytes(rowTypes.size());
        for (int i = 0; i < keys.size(); i++) {
            kinds[i] = kind(rowTypes.get(keys.get(i)));
            offsetsInKey[i] = keyHeader + 8 * i;
            offsetsInRow[i] = rowHeader + 8 * keys.get(i);
        }
    }

    private static Kind kind(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN, TINYINT -> Kind.ONE_BYTE;
            case SMALLINT -> Kind.TWO_BYTES;
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> Kind.FOUR_BYTES;
            case BIGINT -> Kind.EIGHT_BYTES;
            case FLOAT -> Kind.FLOAT;
            case DOUBLE -> Kind.DOUBLE;
            case CHAR, VARCHAR, BINARY, VARBINARY -> Kind.BYTES;
            case DECIMAL -> ((DecimalType) type).getPrecision() <= 18 ? Kind.EIGHT_BYTES : Kind.LONG_DECIMAL;
            case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp(((TimestampType) type).getPrecision());
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> timestamp(((LocalZonedTimestampType) type).getPrecision());
            default -> throw new IllegalArgumentException("Values of type " + type + " cannot be a lookup key.");
        };
    }

    private static Kind timestamp(int precision) {
        return precision <= 3 ? Kind.EIGHT_BYTES : Kind.LONG_TIMESTAMP;
    }

    /**
     * @param key in one segment and without NULLs, as {@link KeyEncoder} writes it
     * @param row where a row without NULLs in the key's columns is
     * @param rowOffset where the row's bytes begin
     */
    boolean matches(BinaryRowData key, MemorySegment row, int rowOffset) {
        MemorySegment keyBytes = key.getSegments()[0];
        int keyOffset = key.getOffset();
        for (int i = 0; i < kinds.length; i++) {
            int inKey = keyOffset + offsetsInKey[i];
            int inRow = rowOffset + offsetsInRow[i];
            boolean same = switch (kinds[i]) {
                case ONE_BYTE -> keyBytes.get(inKey) == row.get(inRow);
                case TWO_BYTES -> keyBytes.getShort(inKey) == row.getShort(inRow);
                case FOUR_BYTES -> keyBytes.getInt(inKey) == row.getInt(inRow);
                case EIGHT_BYTES -> keyBytes.getLong(inKey) == row.getLong(inRow);
                // The sum makes 0.0 of -0.0, which the encoder did for the key.
                case FLOAT ->
                    Float.floatToIntBits(keyBytes.getFloat(inKey)) == Float.floatToIntBits(row.getFloat(inRow) + 0.0f);
                case DOUBLE ->
                    Double.doubleToLongBits(keyBytes.getDouble(inKey))
                            == Double.doubleToLongBits(row.getDouble(inRow) + 0.0d);
                case BYTES -> sameBytes(keyBytes, keyOffset, inKey, row, rowOffset, inRow);
                case LONG_DECIMAL -> sameVariable(keyBytes, keyOffset, inKey, row, rowOffset, inRow);
                case LONG_TIMESTAMP -> sameTimestamp(keyBytes, keyOffset, inKey, row, rowOffset, inRow);
            };
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameBytes(
            MemorySegment key, int keyOffset, int inKey, MemorySegment row, int rowOffset, int inRow) {
        long keySlot = key.getLong(inKey);
        // How a value is written depends on its length alone.
        if ((keySlot & IN_PLACE) != 0) {
            return keySlot == row.getLong(inRow);
        }
        return (row.getLong(inRow) & IN_PLACE) == 0 && sameVariable(key, keyOffset, inKey, row, rowOffset, inRow);
    }

    private static boolean sameVariable(
            MemorySegment key, int keyOffset, int inKey, MemorySegment row, int rowOffset, int inRow) {
        long keySlot = key.getLong(inKey);
        long rowSlot = row.getLong(inRow);
        int length = (int) keySlot;
        return length == (int) rowSlot
                && key.equalTo(row, keyOffset + (int) (keySlot >>> 32), rowOffset + (int) (rowSlot >>> 32), length);
    }

    private static boolean sameTimestamp(
            MemorySegment key, int keyOffset, int inKey, MemorySegment row, int rowOffset, int inRow) {
        long keySlot = key.getLong(inKey);
        long rowSlot = row.getLong(inRow);
        return (int) keySlot == (int) rowSlot
                && key.getLong(keyOffset + (int) (keySlot >>> 32)) == row.getLong(rowOffset + (int) (rowSlot >>> 32));
    }
}
