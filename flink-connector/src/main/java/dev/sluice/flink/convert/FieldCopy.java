/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.AllNullColumnVector;
import org.apache.paimon.data.columnar.ColumnVector;
import org.jspecify.annotations.Nullable;

/** Copies one field of the engine's rows into rows of Flink's binary layout. Used by one thread. */
abstract class FieldCopy {

    /** A row begins with a byte for its kind and a bit per field, rounded up to whole words. */
    private static final int KIND_BITS = 8;

    static final int WORD = 8;

    private final int from;

    /** Where in a row the field's word is. */
    final int slot;

    private final int nullByte;
    private final int nullBit;

    FieldCopy(Place place) {
        this.from = place.from();
        this.slot = headerSize(place.fields()) + WORD * place.to();
        this.nullByte = (place.to() + KIND_BITS) >>> 3;
        this.nullBit = 1 << ((place.to() + KIND_BITS) & 7);
    }

    /**
     * @param from the field of the engine's row
     * @param to the field of Flink's row, which has so many fields
     */
    record Place(int from, int to, int fields) {}

    static int headerSize(int fields) {
        return ((fields + 63 + KIND_BITS) / 64) * WORD;
    }

    static int fixedSize(int fields) {
        return headerSize(fields) + WORD * fields;
    }

    static int roundedUp(int bytes) {
        return (bytes + WORD - 1) & -WORD;
    }

    /** Gives null for types that are made of others, and for those that only the running Flink knows. */
    static @Nullable FieldCopy of(LogicalType type, Place place) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> new FixedFields.Booleans(place);
            case TINYINT -> new FixedFields.Bytes(place);
            case SMALLINT -> new FixedFields.Shorts(place);
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> new FixedFields.Ints(place);
            case BIGINT -> new FixedFields.Longs(place);
            case FLOAT -> new FixedFields.Floats(place);
            case DOUBLE -> new FixedFields.Doubles(place);
            case CHAR, VARCHAR -> new Texts(place, false);
            case BINARY, VARBINARY -> new Texts(place, true);
            case DECIMAL -> Decimals.of((DecimalType) type, place);
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                Timestamps.of(LogicalTypeChecks.getPrecision(type), place);
            default -> null;
        };
    }

    /** @param before how many columns the batch has before the first of the row */
    final ColumnVector columnOf(ColumnVector[] columns, int before) {
        return columns[before + from];
    }

    /**
     * Adds to each row's size what the field takes behind the fixed part.
     *
     * @param sizes by row
     */
    void measure(ColumnVector column, Places places, int[] sizes) {}

    /** @param places of values measured last; their rows are there and all zero */
    final void copy(ColumnVector column, Places places, RowBytes to) {
        if (column == AllNullColumnVector.INSTANCE) {
            int[] rows = places.rows();
            for (int i = 0; i < places.count(); i++) {
                setNull(to.array(), to.start(rows[i]));
            }
        } else {
            copyColumn(column, places, to);
        }
    }

    abstract void copyColumn(ColumnVector column, Places places, RowBytes to);

    /**
     * @param start of the row, whose fixed part is there and all zero
     * @param cursor where the next part of variable length goes
     * @return where the one after it goes
     */
    final int copy(InternalRow row, RowBytes to, int start, int cursor) {
        if (row.isNullAt(from)) {
            setNull(to.array(), start);
            return cursor;
        }
        return copyField(row, from, to, start, cursor);
    }

    abstract int copyField(InternalRow row, int field, RowBytes to, int start, int cursor);

    /** As {@link #copy(InternalRow, RowBytes, int, int)}, of the row at {@code index} of a batch. */
    final int copy(ColumnVector column, int index, RowBytes to, int start, int cursor) {
        if (column.isNullAt(index)) {
            setNull(to.array(), start);
            return cursor;
        }
        return copyValue(column, index, to, start, cursor);
    }

    abstract int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor);

    final void setNull(byte[] array, int start) {
        array[start + nullByte] |= (byte) nullBit;
    }
}
