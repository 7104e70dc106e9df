/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.TimestampData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.TimestampColumnVector;

/** Fields of the timestamp types: milliseconds in the field's word, or behind the fixed part where there is more to say. */
final class Timestamps {

    private Timestamps() {}

    static FieldCopy of(int precision, FieldCopy.Place place) {
        return TimestampData.isCompact(precision) ? new Millis(precision, place) : new Nanos(precision, place);
    }

    private static final class Millis extends FieldCopy {

        private final int precision;

        Millis(int precision, Place place) {
            super(place);
            this.precision = precision;
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            TimestampColumnVector values = (TimestampColumnVector) column;
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
                            values.getTimestamp(indexes[i], precision).getMillisecond());
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment()
                    .putLong(start + slot, row.getTimestamp(field, precision).getMillisecond());
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            Timestamp value = ((TimestampColumnVector) column).getTimestamp(index, precision);
            to.segment().putLong(start + slot, value.getMillisecond());
            return cursor;
        }
    }

    private static final class Nanos extends FieldCopy {

        private final int precision;

        Nanos(int precision, Place place) {
            super(place);
            this.precision = precision;
        }

        @Override
        void measure(ColumnVector column, Places places, int[] sizes) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            for (int i = 0; i < count; i++) {
                if (!column.isNullAt(indexes[i])) {
                    sizes[rows[i]] += WORD;
                }
            }
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            TimestampColumnVector values = (TimestampColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            int[] cursors = to.cursors();
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, starts[row]);
                } else {
                    Timestamp value = values.getTimestamp(indexes[i], precision);
                    put(value, segment, starts[row], cursors[row]);
                    cursors[row] += WORD;
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.reserve(cursor + WORD);
            put(row.getTimestamp(field, precision), to.segment(), start, cursor);
            return cursor + WORD;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.reserve(cursor + WORD);
            put(((TimestampColumnVector) column).getTimestamp(index, precision), to.segment(), start, cursor);
            return cursor + WORD;
        }

        private void put(Timestamp value, MemorySegment segment, int start, int cursor) {
            segment.putLong(cursor, value.getMillisecond());
            segment.putLong(start + slot, ((long) (cursor - start) << 32) | value.getNanoOfMillisecond());
        }
    }
}
