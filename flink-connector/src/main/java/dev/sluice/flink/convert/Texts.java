/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.AllNullColumnVector;
import org.apache.paimon.data.columnar.BytesColumnVector;
import org.apache.paimon.data.columnar.BytesColumnVector.Bytes;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.heap.HeapBytesVector;

/** Fields that are texts in UTF-8, or bytes: in the field's word if they are short, behind the fixed part otherwise. */
final class Texts extends FieldCopy {

    private static final int IN_WORD = 7;
    private static final long IN_WORD_MARK = 0x80L;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** In bytes. */
    private static final int FEW_WORDS = 64;

    private final boolean binary;

    /** By row what {@link #measure} saw of columns without an array of their own; of no meaning for NULL. */
    private Bytes[] seen = new Bytes[0];

    Texts(Place place, boolean binary) {
        super(place);
        this.binary = binary;
    }

    /** Whether the values lie one behind the other in the vector's own array. */
    private static boolean inOneArray(ColumnVector column) {
        return column instanceof HeapBytesVector heap && !heap.hasDictionary();
    }

    @Override
    void measure(ColumnVector column, Places places, int[] sizes) {
        int[] indexes = places.indexes();
        int[] rows = places.rows();
        int count = places.count();
        if (inOneArray(column)) {
            HeapBytesVector heap = (HeapBytesVector) column;
            for (int i = 0; i < count; i++) {
                if (!heap.isNullAt(indexes[i])) {
                    sizes[rows[i]] += behindFixedPart(heap.length[indexes[i]]);
                }
            }
        } else if (column != AllNullColumnVector.INSTANCE) {
            BytesColumnVector values = (BytesColumnVector) column;
            if (seen.length < sizes.length) {
                seen = Arrays.copyOf(seen, sizes.length);
            }
            for (int i = 0; i < count; i++) {
                if (!values.isNullAt(indexes[i])) {
                    Bytes value = values.getBytes(indexes[i]);
                    seen[rows[i]] = value;
                    sizes[rows[i]] += behindFixedPart(value.len);
                }
            }
        }
    }

    private static int behindFixedPart(int length) {
        return length <= IN_WORD ? 0 : roundedUp(length);
    }

    @Override
    void copyColumn(ColumnVector column, Places places, RowBytes to) {
        if (inOneArray(column)) {
            copyArray((HeapBytesVector) column, places, to);
            return;
        }
        int[] indexes = places.indexes();
        int[] rows = places.rows();
        int count = places.count();
        int[] cursors = to.cursors();
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (column.isNullAt(indexes[i])) {
                setNull(to.array(), to.start(row));
            } else {
                cursors[row] = put(seen[row].data, seen[row].offset, seen[row].len, to, to.start(row), cursors[row]);
            }
        }
    }

    private void copyArray(HeapBytesVector values, Places places, RowBytes to) {
        int[] indexes = places.indexes();
        int[] rows = places.rows();
        int count = places.count();
        int[] starts = to.starts();
        int[] cursors = to.cursors();
        byte[] bytes = values.buffer;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (values.isNullAt(indexes[i])) {
                setNull(to.array(), starts[row]);
            } else {
                cursors[row] =
                        put(bytes, values.start[indexes[i]], values.length[indexes[i]], to, starts[row], cursors[row]);
            }
        }
    }

    /** The room is there and all zero. */
    private int put(byte[] from, int offset, int length, RowBytes to, int start, int cursor) {
        if (length <= IN_WORD) {
            to.segment().putLong(start + slot, inWord(from, offset, length));
            return cursor;
        }
        copyBytes(from, offset, length, to.array(), cursor);
        return placed(to.segment(), start, cursor, length);
    }

    /** Most texts are too short for what calling the general copy costs. The last word's rest is zero already. */
    private static void copyBytes(byte[] from, int offset, int length, byte[] to, int at) {
        if (length > FEW_WORDS) {
            System.arraycopy(from, offset, to, at, length);
            return;
        }
        // The last word begins where it ends with the text, over bytes of the one before; there are eight at least.
        int last = length - WORD;
        for (int i = 0; i < last; i += WORD) {
            WORDS.set(to, at + i, (long) WORDS.get(from, offset + i));
        }
        WORDS.set(to, at + last, (long) WORDS.get(from, offset + last));
    }

    private int placed(MemorySegment segment, int start, int cursor, int length) {
        segment.putLong(start + slot, ((long) (cursor - start) << 32) | length);
        return cursor + roundedUp(length);
    }

    private static long inWord(byte[] from, int offset, int length) {
        long word = (IN_WORD_MARK | length) << 56;
        if (LITTLE_ENDIAN && offset + WORD <= from.length) {
            return word | ((long) WORDS.get(from, offset) & ((1L << (8 * length)) - 1));
        }
        for (int i = 0; i < length; i++) {
            int shift = LITTLE_ENDIAN ? 8 * i : 8 * (IN_WORD - 1 - i);
            word |= (from[offset + i] & 0xFFL) << shift;
        }
        return word;
    }

    @Override
    int copyField(InternalRow row, int field, RowBytes to, int start, int cursor) {
        if (binary) {
            byte[] value = row.getBinary(field);
            makeRoom(value.length, to, cursor);
            return put(value, 0, value.length, to, start, cursor);
        }
        BinaryString text = row.getString(field);
        int length = text.getSizeInBytes();
        makeRoom(length, to, cursor);
        if (text.getSegments().length == 1) {
            return put(text.getSegments()[0].getArray(), text.getOffset(), length, to, start, cursor);
        }
        return put(text.toBytes(), 0, length, to, start, cursor);
    }

    @Override
    int copyValue(ColumnVector column, int index, RowBytes to, int start, int cursor) {
        if (inOneArray(column)) {
            HeapBytesVector values = (HeapBytesVector) column;
            int length = values.length[index];
            makeRoom(length, to, cursor);
            return put(values.buffer, values.start[index], length, to, start, cursor);
        }
        Bytes value = ((BytesColumnVector) column).getBytes(index);
        makeRoom(value.len, to, cursor);
        return put(value.data, value.offset, value.len, to, start, cursor);
    }

    private static void makeRoom(int length, RowBytes to, int cursor) {
        if (length > IN_WORD) {
            int end = Math.addExact(cursor, roundedUp(length));
            to.reserve(end);
            to.segment().putLong(end - WORD, 0);
        }
    }
}
