/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.BooleanColumnVector;
import org.apache.paimon.data.columnar.ByteColumnVector;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.DoubleColumnVector;
import org.apache.paimon.data.columnar.FloatColumnVector;
import org.apache.paimon.data.columnar.IntColumnVector;
import org.apache.paimon.data.columnar.LongColumnVector;
import org.apache.paimon.data.columnar.ShortColumnVector;

/**
 * Fields that fit their word. Each type has loops of its own, so that the running code knows which vector it reads and
 * boxes nothing.
 */
final class FixedFields {

    private FixedFields() {}

    static final class Booleans extends FieldCopy {

        Booleans(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            BooleanColumnVector values = (BooleanColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putBoolean(start + slot, values.getBoolean(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putBoolean(start + slot, row.getBoolean(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putBoolean(start + slot, ((BooleanColumnVector) column).getBoolean(index));
            return cursor;
        }
    }

    static final class Bytes extends FieldCopy {

        Bytes(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            ByteColumnVector values = (ByteColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.put(start + slot, values.getByte(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().put(start + slot, row.getByte(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().put(start + slot, ((ByteColumnVector) column).getByte(index));
            return cursor;
        }
    }

    static final class Shorts extends FieldCopy {

        Shorts(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            ShortColumnVector values = (ShortColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putShort(start + slot, values.getShort(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putShort(start + slot, row.getShort(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putShort(start + slot, ((ShortColumnVector) column).getShort(index));
            return cursor;
        }
    }

    static final class Ints extends FieldCopy {

        Ints(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            IntColumnVector values = (IntColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putInt(start + slot, values.getInt(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putInt(start + slot, row.getInt(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putInt(start + slot, ((IntColumnVector) column).getInt(index));
            return cursor;
        }
    }

    static final class Longs extends FieldCopy {

        Longs(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            LongColumnVector values = (LongColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putLong(start + slot, values.getLong(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putLong(start + slot, row.getLong(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putLong(start + slot, ((LongColumnVector) column).getLong(index));
            return cursor;
        }
    }

    static final class Floats extends FieldCopy {

        Floats(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            FloatColumnVector values = (FloatColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putFloat(start + slot, values.getFloat(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putFloat(start + slot, row.getFloat(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putFloat(start + slot, ((FloatColumnVector) column).getFloat(index));
            return cursor;
        }
    }

    static final class Doubles extends FieldCopy {

        Doubles(Place place) {
            super(place);
        }

        @Override
        void copyColumn(ColumnVector column, Places places, RowBytes to) {
            int[] indexes = places.indexes();
            int[] rows = places.rows();
            int count = places.count();
            DoubleColumnVector values = (DoubleColumnVector) column;
            MemorySegment segment = to.segment();
            byte[] array = to.array();
            int[] starts = to.starts();
            for (int i = 0; i < count; i++) {
                int start = starts[rows[i]];
                if (values.isNullAt(indexes[i])) {
                    setNull(array, start);
                } else {
                    segment.putDouble(start + slot, values.getDouble(indexes[i]));
                }
            }
        }

        @Override
        int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
            to.segment().putDouble(start + slot, row.getDouble(field));
            return cursor;
        }

        @Override
        int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
            to.segment().putDouble(start + slot, ((DoubleColumnVector) column).getDouble(index));
            return cursor;
        }
    }
}
