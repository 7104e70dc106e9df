/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the disk space of a deleted file back at once instead of at some garbage collection. */
final class Unmapping {

    private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);

    /** Null where the JVM does not offer it; then the garbage collector unmaps. */
    private static final @Nullable MethodHandle CLEANER = cleaner();

    private Unmapping() {}

    private static @Nullable MethodHandle cleaner() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.info("Local copies of files are unmapped by the garbage collector: {}", e.toString());
            return null;
        }
    }

    /** The caller sees to it that nobody reads the buffer any more: reading it then would end the process. */
    static void unmap(MappedByteBuffer buffer) {
        if (CLEANER == null || buffer.capacity() == 0) {
            return;
        }
        try {
            CLEANER.invoke((ByteBuffer) buffer);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Unmapping a file failed.", e);
        }
    }
}
