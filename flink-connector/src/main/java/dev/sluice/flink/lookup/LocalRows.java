/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * A local copy of one data file, made for finding rows by key: Flink rows as bytes, then a hash table of their places.
 * The file is mapped and never written again, so any number of threads search it without a lock. It counts its users and
 * is deleted when the last has gone.
 */
final class LocalRows {

    private static final int HEADER_BYTES = 8;
    private static final int DELETED = 1;

    /** So seldom that threads do not fight for the field. */
    private static final long USE_GRAIN_NANOS = 1_000_000_000L;

    /** Rows are mapped in parts of this size; no row crosses from one into the next. */
    private static final int PART_BYTES = 1 << 29;

    private static final int PART_WORD_BITS = 26;
    private static final long MOST_WORDS = 1L << 32;
    private static final int MOST_SLOTS = 1 << 27;

    private final File file;
    private final int arity;
    private final MappedByteBuffer[] parts;
    private final MemorySegment[] rows;
    private final MappedByteBuffer slots;
    private final int mask;
    private final long bytes;

    /** One for whoever made it; not positive once it is gone. */
    private final AtomicInteger users = new AtomicInteger(1);

    private volatile long lastUse;

    private LocalRows(File file, int arity, long rowBytes, int slotCount) throws IOException {
        this.file = file;
        this.arity = arity;
        this.bytes = rowBytes + 8L * slotCount;
        this.mask = slotCount - 1;
        int count = (int) ((rowBytes + PART_BYTES - 1) / PART_BYTES);
        parts = new MappedByteBuffer[count];
        rows = new MemorySegment[count];
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
            for (int i = 0; i < count; i++) {
                long start = (long) i * PART_BYTES;
                parts[i] = channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(PART_BYTES, rowBytes - start));
                rows[i] = MemorySegmentFactory.wrapOffHeapMemory(parts[i]);
            }
            slots = channel.map(FileChannel.MapMode.READ_ONLY, rowBytes, 8L * slotCount);
            slots.order(ByteOrder.nativeOrder());
        }
    }

    /** What a file says about a key. */
    record Found(@Nullable BinaryRowData row) {
        static final Found DELETION = new Found(null);
    }

    /** @return whether the caller may search it; then {@link #release} must follow */
    boolean acquire() {
        for (int present = users.get(); present > 0; present = users.get()) {
            if (users.compareAndSet(present, present + 1)) {
                return true;
            }
        }
        return false;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            for (MappedByteBuffer part : parts) {
                Unmapping.unmap(part);
            }
            Unmapping.unmap(slots);
            if (!file.delete()) {
                file.deleteOnExit();
            }
        }
    }

    /**
     * Only between {@link #acquire} and {@link #release}.
     *
     * @param now by the clock that {@link #lastUse} is compared with
     * @return null if the file does not have the key; a row that is found is a copy
     */
    @Nullable
    Found find(BinaryRowData key, KeyLayout layout, long now) {
        if (now - lastUse > USE_GRAIN_NANOS) {
            lastUse = now;
        }
        int hash = key.hashCode();
        for (int i = first(hash, mask); ; i = (i + 1) & mask) {
            long slot = slots.getLong(i << 3);
            if (slot == 0) {
                return null;
            }
            if ((int) (slot >>> 32) == hash) {
                int address = (int) slot; // unsigned
                MemorySegment part = rows[address >>> PART_WORD_BITS];
                int offset = (address & ((1 << PART_WORD_BITS) - 1)) << 3;
                if (layout.matches(key, part, offset + HEADER_BYTES)) {
                    return part.getInt(offset + 4) == DELETED ? Found.DELETION : new Found(copy(part, offset));
                }
            }
        }
    }

    private BinaryRowData copy(MemorySegment part, int offset) {
        byte[] own = new byte[part.getInt(offset)];
        part.get(offset + HEADER_BYTES, own, 0, own.length);
        BinaryRowData row = new BinaryRowData(arity);
        row.pointTo(MemorySegmentFactory.wrap(own), 0, own.length);
        return row;
    }

    private static int first(int hash, int mask) {
        return (hash ^ (hash >>> 16)) & mask;
    }

    long bytes() {
        return bytes;
    }

    void touch(long now) {
        lastUse = now;
    }

    long lastUse() {
        return lastUse;
    }

    /** Writes a local copy, row by row, each key once. Used by one thread. */
    static final class Writer implements Closeable {

        private final File file;
        private final int arity;
        private final FileOutputStream out;
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 18).order(ByteOrder.nativeOrder());
        private final long[] slots;
        private long position;

        /** @param rows at least how many will be added */
        Writer(File file, int arity, long rows) throws IOException {
            this.file = file;
            this.arity = arity;
            long wanted = Math.max(4, Long.highestOneBit(Math.max(1, rows)) * 2);
            // At most two thirds are taken: the search for a key that is not there ends soon.
            if (rows * 3 > wanted * 2) {
                wanted *= 2;
            }
            if (wanted > MOST_SLOTS) {
                throw new IOException("A data file of " + rows + " rows is too large for a lookup by key; set"
                        + " 'lookup.cache' = 'FULL', or compact the table with a smaller 'target-file-size'.");
            }
            this.slots = new long[(int) wanted];
            this.out = new FileOutputStream(file);
            // Address 0 stands for an empty slot.
            buffer.putLong(0);
            position = HEADER_BYTES;
        }

        void add(BinaryRowData key, BinaryRowData row, boolean found) throws IOException {
            int size = row.getSizeInBytes();
            int padded = HEADER_BYTES + ((size + 7) & ~7);
            long left = PART_BYTES - position % PART_BYTES;
            if (padded > left) {
                write(new byte[(int) left], (int) left);
            }
            if (position >>> 3 >= MOST_WORDS) {
                throw new IOException("A data file holds more than 32 GiB of rows; it is too large for a lookup by key."
                        + " Set 'lookup.cache' = 'FULL', or compact the table with a smaller 'target-file-size'.");
            }
            int hash = key.hashCode();
            int slot = first(hash, slots.length - 1);
            while (slots[slot] != 0) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = ((long) hash << 32) | (position >>> 3);
            reserve(HEADER_BYTES);
            buffer.putInt(size).putInt(found ? 0 : DELETED);
            position += HEADER_BYTES;
            byte[] bytes = new byte[padded - HEADER_BYTES];
            BinaryRowData whole = row.getSegments().length == 1 ? row : row.copy();
            whole.getSegments()[0].get(whole.getOffset(), bytes, 0, size);
            write(bytes, bytes.length);
        }

        private void write(byte[] bytes, int length) throws IOException {
            if (length > buffer.capacity()) {
                flush();
                out.write(bytes, 0, length);
            } else {
                reserve(length);
                buffer.put(bytes, 0, length);
            }
            position += length;
        }

        private void reserve(int size) throws IOException {
            if (buffer.remaining() < size) {
                flush();
            }
        }

        private void flush() throws IOException {
            out.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }

        LocalRows finish() throws IOException {
            for (long slot : slots) {
                reserve(8);
                buffer.putLong(slot);
            }
            flush();
            out.close();
            return new LocalRows(file, arity, position, slots.length);
        }

        /** For a copy that is not finished. */
        void discard() throws IOException {
            close();
            Files.deleteIfExists(file.toPath());
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
