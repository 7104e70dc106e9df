/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.memory.MemorySegment;

/** Values of any length behind each other in one array. */
final class ByteValues {

    private static final int FIRST_COUNT = 256;
    private static final int FIRST_BYTES = 4096;
    /** More than pages of values of usual lengths take. */
    private static final int LARGEST_KEPT = 4 << 20;
    /** In bytes, with room for the lengths of values and for levels. */
    private static final int LARGEST_PAGE = Integer.MAX_VALUE - (1 << 24);

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private byte[] data = new byte[FIRST_BYTES];
    private int bytes;
    /** Where a value ends; the next one starts there. */
    private int[] ends = new int[FIRST_COUNT];

    private int count;

    int count() {
        return count;
    }

    int bytes() {
        return bytes;
    }

    /** Bytes in a plain page, where each value that has no fixed length follows its length. */
    long plainBytes(boolean fixedLength) {
        return fixedLength ? bytes : bytes + (long) count * Integer.BYTES;
    }

    void append(BinaryString string) {
        int length = string.getSizeInBytes();
        ensure(length);
        MemorySegment[] segments = string.getSegments();
        if (segments.length == 1) {
            segments[0].get(string.getOffset(), data, bytes, length);
        } else {
            System.arraycopy(string.toBytes(), 0, data, bytes, length);
        }
        end(length);
    }

    void append(byte[] value) {
        append(value, 0, value.length);
    }

    private void append(byte[] from, int offset, int length) {
        ensure(length);
        System.arraycopy(from, offset, data, bytes, length);
        end(length);
    }

    /** A number in as many bytes as {@code length}, the most significant one first. */
    void appendSigned(byte[] number, int length) {
        ensure(length);
        Arrays.fill(data, bytes, bytes + length - number.length, (byte) (number[0] < 0 ? -1 : 0));
        System.arraycopy(number, 0, data, bytes + length - number.length, number.length);
        end(length);
    }

    private void ensure(int more) {
        if (data.length - bytes < more) {
            long needed = (long) bytes + more;
            if (needed > LARGEST_PAGE) {
                throw new IllegalArgumentException("A value of " + more + " bytes makes a page of " + needed
                        + " bytes, and Parquet takes " + LARGEST_PAGE + " at most. Split the value.");
            }
            data = Arrays.copyOf(data, (int) Math.min(Math.max(2L * data.length, needed), LARGEST_PAGE));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
    }

    private void end(int length) {
        bytes += length;
        ends[count++] = bytes;
    }

    private int start(int value) {
        return value == 0 ? 0 : ends[value - 1];
    }

    /** Appends a value of others. */
    void append(ByteValues others, int value) {
        int start = others.start(value);
        append(others.data, start, others.ends[value] - start);
    }

    byte[] copy(int value) {
        return Arrays.copyOfRange(data, start(value), ends[value]);
    }

    /** @return the place of the first of the smallest values, as unsigned bytes */
    int min() {
        int least = 0;
        for (int i = 1; i < count; i++) {
            if (compare(i, least) < 0) {
                least = i;
            }
        }
        return least;
    }

    int max() {
        int most = 0;
        for (int i = 1; i < count; i++) {
            if (compare(i, most) > 0) {
                most = i;
            }
        }
        return most;
    }

    private int compare(int a, int b) {
        return Arrays.compareUnsigned(data, start(a), ends[a], data, start(b), ends[b]);
    }

    boolean equal(int value, ByteValues others, int other) {
        return Arrays.equals(data, start(value), ends[value], others.data, others.start(other), others.ends[other]);
    }

    int hash(int value) {
        int at = start(value);
        int end = ends[value];
        long hash = (long) end - at;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            hash = (hash ^ (long) LONGS.get(data, at)) * SPREAD;
            hash ^= hash >>> 32;
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = (rest << Byte.SIZE) | (data[at] & 0xFF);
        }
        hash = (hash ^ rest) * SPREAD;
        return (int) (hash >>> 32);
    }

    /** @param first how many */
    void writePlain(PageBytes page, int first, boolean fixedLength) {
        if (fixedLength) {
            page.write(data, 0, first == 0 ? 0 : ends[first - 1]);
            return;
        }
        int start = 0;
        for (int i = 0; i < first; i++) {
            int end = ends[i];
            page.putInt(end - start);
            page.write(data, start, end - start);
            start = end;
        }
    }

    /** Forgets the values behind the first ones and the room for them. */
    void keep(int first) {
        count = first;
        bytes = start(first);
        data = Arrays.copyOf(data, Math.max(bytes, FIRST_BYTES));
        ends = Arrays.copyOf(ends, Math.max(count, FIRST_COUNT));
    }

    /** Forgets all values; keeps the room for them, unless values that are long made it large. */
    void clear() {
        bytes = 0;
        count = 0;
        if (data.length > LARGEST_KEPT) {
            data = new byte[FIRST_BYTES];
        }
    }
}
