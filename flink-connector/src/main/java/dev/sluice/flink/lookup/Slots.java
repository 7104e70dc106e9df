/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Longs in memory or in a mapped file, zero at first. One thread writes them; any number read without a lock. */
final class Slots {

    /** More do not fit into one mapping. */
    static final int MOST = 1 << 27;

    private static final VarHandle IN_MEMORY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MAPPED =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final int count;
    private final long @Nullable [] array;
    private final ByteBuffer mapped;

    private Slots(int count, long @Nullable [] array, ByteBuffer mapped) {
        this.count = count;
        this.array = array;
        this.mapped = mapped;
    }

    static Slots inMemory(int count) {
        return new Slots(count, new long[count], ByteBuffer.allocate(0));
    }

    /** @param mapped 8 bytes for each slot, all zero */
    static Slots in(ByteBuffer mapped) {
        return new Slots(mapped.capacity() >>> 3, null, mapped);
    }

    int count() {
        return count;
    }

    long get(int slot) {
        long[] own = array;
        return own == null ? (long) MAPPED.getAcquire(mapped, slot << 3) : (long) IN_MEMORY.getAcquire(own, slot);
    }

    /** What the value points to is seen by whoever gets it. */
    void set(int slot, long value) {
        long[] own = array;
        if (own == null) {
            MAPPED.setRelease(mapped, slot << 3, value);
        } else {
            IN_MEMORY.setRelease(own, slot, value);
        }
    }

    boolean isMapped() {
        return array == null;
    }

    long bytes() {
        return 8L * count;
    }
}
