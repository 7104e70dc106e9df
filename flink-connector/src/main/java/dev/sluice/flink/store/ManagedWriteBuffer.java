/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.runtime.memory.MemoryAllocationException;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.paimon.memory.MemorySegment;
import org.apache.paimon.memory.MemorySegmentPool;
import org.jspecify.annotations.Nullable;

/**
 * A writer's buffer out of Flink's managed memory: its pages are Flink's, seen by the engine at their addresses. Taken
 * from Flink page by page as they are needed, given back all at once by {@link #close}, after which nothing may touch
 * them. Used by one thread.
 */
public final class ManagedWriteBuffer implements MemorySegmentPool, AutoCloseable {

    /** What the engine's sort buffer cannot do without. */
    static final int LEAST_PAGES = 3;

    /** The engine keeps the address; Flink lets go of the memory only when it is released. */
    private static final Function<ByteBuffer, MemorySegment> WRAP = MemorySegment::wrapOffHeapMemory;

    private final MemoryManager memory;
    private final int pages;
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private int taken;

    private ManagedWriteBuffer(MemoryManager memory, int pages) {
        this.memory = memory;
        this.pages = pages;
    }

    /**
     * One of several buffers that a writer's share is divided into.
     *
     * @param memory the slot's managed memory
     * @param share bytes of it that belong to the writer; what does not fill a page of each buffer stays unused
     * @throws WriteFailedException if the share is too small to write with
     */
    public static ManagedWriteBuffer open(StoreTable table, MemoryManager memory, long share, int buffers)
            throws WriteFailedException {
        long pages = share / buffers / memory.getPageSize();
        if (pages < LEAST_PAGES) {
            throw WriteFailedException.because(
                    "'sink.use-managed-memory-allocator' is true and the writer's share of its slot's managed memory is "
                            + share + " bytes (of " + memory.getMemorySize() + "), for " + buffers
                            + " buffer(s) of at least " + LEAST_PAGES * memory.getPageSize() + " bytes",
                    "Opening a writer",
                    table,
                    null,
                    "The job does not go on before 'taskmanager.memory.managed.size' is raised, or"
                            + " 'sink.managed.writer-buffer-memory', the writer's weight in the slot; or"
                            + " 'sink.writer-managed-memory' if 'sink.writer-memory' is set.");
        }
        return new ManagedWriteBuffer(memory, (int) Math.min(Integer.MAX_VALUE, pages));
    }

    @Override
    public @Nullable MemorySegment nextSegment() {
        MemorySegment page = free.poll();
        return page != null || taken == pages ? page : take();
    }

    private MemorySegment take() {
        try {
            MemorySegment page = memory.allocatePages(this, 1).get(0).processAsByteBuffer(WRAP);
            taken++;
            return page;
        } catch (MemoryAllocationException e) {
            throw new IllegalStateException(
                    "Flink's managed memory has no page left for a writer's buffer, which holds " + taken + " of the "
                            + pages + " pages that are its share of the slot: another operator of the slot took more"
                            + " than its own.",
                    e);
        }
    }

    @Override
    public int pageSize() {
        return memory.getPageSize();
    }

    @Override
    public void returnAll(List<MemorySegment> returned) {
        free.addAll(returned);
    }

    @Override
    public int freePages() {
        return free.size() + pages - taken;
    }

    /** Gives all pages back, also those the engine has not returned. */
    @Override
    public void close() {
        free.clear();
        taken = 0;
        memory.releaseAll(this);
    }
}
