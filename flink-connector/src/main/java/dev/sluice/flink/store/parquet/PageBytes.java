/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.paimon.shade.org.apache.parquet.bytes.BytesInput;

/** The bytes of the page that is being made, little endian; one for all columns of a file. */
final class PageBytes extends OutputStream {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int FIRST_CAPACITY = 1 << 12;
    private static final int MOST_KEPT = 1 << 21;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int size;

    /** Empties it. A page that was larger than usual leaves no large array behind. */
    void start() {
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[FIRST_CAPACITY];
        }
        size = 0;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(Math.addExact(size, more), (int) Math.min(2L * bytes.length, 1 << 30)));
        }
    }

    /** Definition levels of rows that all have a value: one run. */
    void allDefined(int rows) {
        int start = size;
        putInt(0);
        ensure(6);
        int header = rows << 1;
        while ((header & ~0x7F) != 0) {
            bytes[size++] = (byte) ((header & 0x7F) | 0x80);
            header >>>= 7;
        }
        bytes[size++] = (byte) header;
        bytes[size++] = 1;
        INTS.set(bytes, start, size - start - Integer.BYTES);
    }

    void putInt(int value) {
        ensure(Integer.BYTES);
        INTS.set(bytes, size, value);
        size += Integer.BYTES;
    }

    void putInts(long[] values, int count) {
        ensure(count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            INTS.set(bytes, size + i * Integer.BYTES, (int) values[i]);
        }
        size += count * Integer.BYTES;
    }

    void putLongs(long[] values, int count) {
        ensure(count * Long.BYTES);
        for (int i = 0; i < count; i++) {
            LONGS.set(bytes, size + i * Long.BYTES, values[i]);
        }
        size += count * Long.BYTES;
    }

    @Override
    public void write(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        ensure(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    void put(BytesInput input) throws IOException {
        input.writeAllTo(this);
    }

    int size() {
        return size;
    }

    /** Forgets what stands behind. */
    void truncate(int to) {
        size = to;
    }

    BytesInput input() {
        return BytesInput.from(bytes, 0, size);
    }
}
