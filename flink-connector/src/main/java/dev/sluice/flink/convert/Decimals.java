/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.DecimalColumnVector;

/** Fields of type DECIMAL: the unscaled value, in the field's word where it fits there. */
final class Decimals {

    private Decimals() {}

    static FieldCopy of(DecimalType type, FieldCopy.Place place) {
        return DecimalData.isCompact(type.getPrecision()) ? new Compact(type, place) : new Wide(type, place);
    }

    private static final class Compact extends FieldCopy {

        private final int precision;
        private final int scale;

        Compact(DecimalType type, Place place) {
            super(place);
            this.precision = type.getPrecision();
            this.scale = type.getScale();
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            DecimalColumnVector values = (DecimalColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putLong(
                            start + slot,
                            values.getDecimal(indexes[i], precision, scale).toUnscaledLong());
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment()
                    .putLong(
                            start + slot,
                            row.getDecimal(field, precision, scale).toUnscaledLong());
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            Decimal value = ((DecimalColumnVector) column).getDecimal(index, precision, scale);
            to.segment().putLong(start + slot, value.toUnscaledLong());
            return cursor;
        }
    }

    private static final class Wide extends FieldCopy {

        /** So much is kept for a value, however short it is. */
        private static final int BYTES = 16;

        private final int precision;
        private final int scale;

        Wide(DecimalType type, Place place) {
            super(place);
            this.precision = type.getPrecision();
            this.scale = type.getScale();
        }

        @Override
        void measure(ColumnVector column, Places places, int[] sizes) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            for (int i = 0; i < count; i++) {
                if (!column.isNullAt(indexes[i])) {
                    sizes[rows[i]] += BYTES;
                }
            }
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            DecimalColumnVector values = (DecimalColumnVector) column;
            int[] cursors = to.cursors();
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                if (values.isNullAt(indexes[i])) {
                    setNull(to.array(), to.start(row));
                } else {
                    put(values.getDecimal(indexes[i], precision, scale), to, to.start(row), cursors[row]);
                    cursors[row] += BYTES;
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            return append(row.getDecimal(field, precision, scale), to, start, cursor);
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            return append(((DecimalColumnVector) column).getDecimal(index, precision, scale), to, start, cursor);
        }

        private int append(Decimal value, RowBytes to, int start, int cursor) {
            to.reserve(cursor + BYTES);
            to.segment().putLong(cursor, 0);
            to.segment().putLong(cursor + WORD, 0);
            put(value, to, start, cursor);
            return cursor + BYTES;
        }

        private void put(Decimal value, RowBytes to, int start, int cursor) {
            byte[] unscaled = value.toUnscaledBytes();
            System.arraycopy(unscaled, 0, to.array(), cursor, unscaled.length);
            to.segment().putLong(start + slot, ((long) (cursor - start) << 32) | unscaled.length);
        }
    }
}
