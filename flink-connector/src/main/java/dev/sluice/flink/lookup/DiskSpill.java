/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;

/**
 * Keeps full pages in memory up to a bound and the others in files, mapped, where the operating system keeps in memory
 * what is asked for. The files are deleted as soon as they are mapped; their space is free again when the last row that
 * points into them is collected. Used by the thread that fills the pages.
 */
final class DiskSpill implements Spill {

    /** So many bytes of pages go to one file. */
    private static final long FILE_BYTES = 256L << 20;

    private final String table;
    private final Path folder;
    private final long memoryBytes;
    private final long diskBytes;
    private long inMemory;
    private long onDisk;

    /** The file that is being filled, if there is one. */
    private final List<ByteBuffer> free = new ArrayList<>();

    /**
     * @param memoryBytes the most bytes of full pages that stay in memory
     * @param diskBytes the most bytes that go to files
     */
    DiskSpill(String table, Path folder, long memoryBytes, long diskBytes) {
        this.table = table;
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        this.diskBytes = diskBytes;
    }

    @Override
    public MemorySegment store(MemorySegment page) throws IOException {
        int size = page.size();
        if (inMemory + size <= memoryBytes) {
            inMemory += size;
            return page;
        }
        if (onDisk + size > diskBytes) {
            throw new IOException("Table " + table
                    + " needs more room for a lookup join than 'lookup.cache-max-memory-size'"
                    + " (" + memoryBytes + " bytes) and 'lookup.cache-max-disk-size' (" + diskBytes + " bytes) allow"
                    + " together. Raise one, select fewer columns, or filter the table.");
        }
        ByteBuffer room = room(size);
        ByteBuffer mapped = room.slice(room.position(), size);
        room.position(room.position() + size);
        onDisk += size;
        MemorySegment stored = MemorySegmentFactory.wrapOffHeapMemory(mapped);
        page.copyTo(0, stored, 0, size);
        return stored;
    }

    private ByteBuffer room(int size) throws IOException {
        if (free.isEmpty() || free.get(0).remaining() < size) {
            free.clear();
            free.add(newFile(Math.max(size, FILE_BYTES)));
        }
        return free.get(0);
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
