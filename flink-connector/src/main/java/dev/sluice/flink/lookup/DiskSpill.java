/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;

/**
 * Keeps rows and their index in memory up to a bound and the rest in files, mapped, where the operating system keeps in
 * memory what is asked for. The files are deleted as soon as they are mapped; their space is free again when the last row
 * that points into them is collected. Used by the thread that fills the pages.
 */
final class DiskSpill implements Spill {

    /** Files of rows grow with what there is already: few files for many rows, and little room unused for few. */
    private static final long SMALLEST_FILE_BYTES = 16L << 20;

    private static final long LARGEST_FILE_BYTES = 256L << 20;

    private final String table;
    private final Path folder;
    private final long memoryBytes;
    private final long pageBytes;
    private final long diskBytes;
    private long inMemory;
    private long onDisk;

    /** What is left of the file that is being filled. */
    private ByteBuffer room = ByteBuffer.allocate(0);

    /**
     * @param memoryBytes the most bytes that stay in memory
     * @param pageBytes full pages stay in memory only while all that is there is not more than this
     * @param diskBytes the most bytes that go to files
     */
    DiskSpill(String table, Path folder, long memoryBytes, long pageBytes, long diskBytes) {
        this.table = table;
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        this.pageBytes = pageBytes;
        this.diskBytes = diskBytes;
    }

    @Override
    public MemorySegment store(MemorySegment page) throws IOException {
        int size = page.size();
        if (inMemory + size <= pageBytes) {
            inMemory += size;
            return page;
        }
        takeDisk(size);
        if (room.remaining() < size) {
            long wanted = Math.min(LARGEST_FILE_BYTES, Math.max(SMALLEST_FILE_BYTES, onDisk / 2));
            room = newFile(Math.max(size, wanted));
        }
        ByteBuffer mapped = room.slice(room.position(), size);
        room.position(room.position() + size);
        MemorySegment stored = MemorySegmentFactory.wrapOffHeapMemory(mapped);
        page.copyTo(0, stored, 0, size);
        return stored;
    }

    @Override
    public Slots slots(int count) throws IOException {
        long size = 8L * count;
        if (inMemory + size <= memoryBytes) {
            inMemory += size;
            return Slots.inMemory(count);
        }
        takeDisk(size);
        return Slots.in(newFile(size));
    }

    @Override
    public void released(Slots slots) {
        if (slots.isMapped()) {
            onDisk -= slots.bytes();
        } else {
            inMemory -= slots.bytes();
        }
    }

    @Override
    public void took(long bytes) {
        inMemory += bytes;
    }

    private void takeDisk(long size) throws IOException {
        if (onDisk + size > diskBytes) {
            throw new IOException("Table " + table
                    + " needs more room for a lookup join than 'lookup.cache-max-memory-size'"
                    + " (" + memoryBytes + " bytes) and 'lookup.cache-max-disk-size' (" + diskBytes + " bytes) allow"
                    + " together. Raise one, select fewer columns, or filter the table.");
        }
        onDisk += size;
    }

    private ByteBuffer newFile(long size) throws IOException {
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "rows", ".pages");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // Written, not only made longer: a disk that is full says so here and not when a page is stored.
            ByteBuffer zeros = ByteBuffer.allocate(Pages.PAGE_BYTES);
            for (long written = 0; written < size; ) {
                zeros.limit((int) Math.min(zeros.capacity(), size - written));
                written += channel.write(zeros.rewind());
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
        } finally {
            Files.deleteIfExists(file);
            // Nobody else makes files in it while a table is filled.
            Files.deleteIfExists(folder);
        }
    }
}
