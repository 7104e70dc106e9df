/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.store.WriteFailedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * A thread that writes the rows of some buckets. Rows come to it in pages of serialized rows, of which there is a fixed
 * number, so that the task's thread waits when this one does not keep up. After a failure it still takes pages, and gives
 * them back unread, so that the task's thread never waits in vain.
 */
final class WriterThread<T> implements Runnable {

    private static final int PAGE_BYTES = 64 * 1024;
    private static final int PAGES = 4;

    private final RowWriter<T> writer;
    private final TypeSerializer<T> serializer;
    private final TypeSerializer<T> deserializer;
    private final BlockingQueue<Work> work = new LinkedBlockingQueue<>();
    private final BlockingQueue<Page> free = new ArrayBlockingQueue<>(PAGES);
    private final Thread thread;

    /** Used by the task's thread. */
    private @Nullable Page filling;

    private volatile @Nullable Throwable failure;

    private sealed interface Work permits Page, Flush {}

    /** Handed to and fro; belongs to the thread that took it out of a queue. */
    private record Page(DataOutputSerializer rows) implements Work {}

    private record Flush(boolean last, long checkpointId, CompletableFuture<List<CommitMessage>> files)
            implements Work {}

    /**
     * @param writer closed by whoever closes this, once the thread has ended
     * @param serializer of what {@link #write} is given; copied for this thread
     */
    WriterThread(String name, RowWriter<T> writer, TypeSerializer<T> serializer) {
        this.writer = writer;
        this.serializer = serializer;
        this.deserializer = serializer.duplicate();
        for (int i = 0; i < PAGES; i++) {
            free.add(new Page(new DataOutputSerializer(PAGE_BYTES + PAGE_BYTES / 4)));
        }
        this.thread = new Thread(this, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
    }

    /** @return whether a page was full, so that a row without a bucket may as well go to the next thread */
    boolean write(T value) throws IOException, InterruptedException {
        Page page = filling;
        if (page == null) {
            check();
            page = free.take();
            filling = page;
        }
        serializer.serialize(value, page.rows());
        if (page.rows().length() < PAGE_BYTES) {
            return false;
        }
        handOver();
        return true;
    }

    CompletableFuture<List<CommitMessage>> prepareCommit(boolean last, long checkpointId) {
        handOver();
        Flush flush = new Flush(last, checkpointId, new CompletableFuture<>());
        work.add(flush);
        return flush.files();
    }

    private void handOver() {
        if (filling != null) {
            work.add(filling);
            filling = null;
        }
    }

    /** @throws WriteFailedException what this thread failed with, on the caller's thread */
    void check() throws WriteFailedException {
        Throwable thrown = failure;
        if (thrown instanceof WriteFailedException known) {
            throw known;
        }
        if (thrown != null) {
            throw new IllegalStateException(
                    thread.getName() + " failed: " + thrown + ". The task fails with it.", thrown);
        }
    }

    @Override
    public void run() {
        try {
            T reused = deserializer.createInstance();
            DataInputDeserializer in = new DataInputDeserializer();
            while (true) {
                Work next = work.take();
                if (next instanceof Page page) {
                    if (failure == null) {
                        reused = write(page, in, reused);
                    }
                    page.rows().clear();
                    free.add(page);
                } else if (next instanceof Flush flush) {
                    flush(flush);
                }
            }
        } catch (InterruptedException e) {
            // The writers are being closed; what is left in the queue is not to be written.
            failure = e;
        }
    }

    private T write(Page page, DataInputDeserializer in, T reused) throws InterruptedException {
        T row = reused;
        try {
            in.setBuffer(page.rows().getSharedBuffer(), 0, page.rows().length());
            while (in.available() > 0) {
                row = deserializer.deserialize(row, in);
                writer.write(row);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            failure = e;
        }
        return row;
    }

    private void flush(Flush flush) throws InterruptedException {
        Throwable thrown = failure;
        if (thrown == null) {
            try {
                flush.files().complete(writer.prepareCommit(flush.last(), flush.checkpointId()));
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Throwable e) {
                failure = e;
                thrown = e;
            }
        }
        flush.files().completeExceptionally(thrown);
    }

    /** Ends the thread, whatever it does, and waits for that: until then the writer's memory is in use. */
    void end() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
