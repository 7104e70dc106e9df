/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.WriteFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.util.IOUtils;
import org.apache.paimon.table.sink.CommitMessage;

/**
 * Several writers of one subtask, each on a thread of its own. All rows of a bucket go to one of them, in order; rows of
 * a table without buckets go to one after another, a page at a time.
 */
final class WriterThreads<T> implements Writers<T> {

    private final WriterInput<T> input;
    private final int subtasks;
    private final List<RowWriter<T>> writers;
    private final List<WriterThread<T>> threads = new ArrayList<>();
    private int turn;

    /**
     * @param subtasks the parallelism of the writers' operator
     * @param writers at least two; closed with this
     * @param name of the threads, which a number is added to
     */
    WriterThreads(
            WriterInput<T> input, int subtasks, List<RowWriter<T>> writers, TypeSerializer<T> serializer, String name) {
        this.input = input;
        this.subtasks = subtasks;
        this.writers = List.copyOf(writers);
        for (RowWriter<T> writer : writers) {
            threads.add(new WriterThread<>(name + " #" + threads.size(), writer, serializer.duplicate()));
        }
    }

    @Override
    public void write(T value) throws WriteFailedException, InterruptedException {
        int place = input.place(value, subtasks);
        boolean anywhere = place == WriterInput.ANY_PLACE;
        int chosen = anywhere ? turn : Math.floorMod(place, threads.size());
        try {
            if (threads.get(chosen).write(value) && anywhere) {
                turn = (turn + 1) % threads.size();
            }
        } catch (IOException e) {
            if (e instanceof WriteFailedException known) {
                throw known;
            }
            throw new IllegalStateException("A row could not be serialized for a writer's thread: " + e, e);
        }
    }

    /** The thread sees it, for it takes its first page of rows later. */
    @Override
    public void oweFullCompaction(Slice slice) {
        int place = BucketedRow.place(slice.partition().hashCode(), slice.bucket(), subtasks);
        writers.get(Math.floorMod(place, writers.size())).oweFullCompaction(slice);
    }

    /** All threads flush at once. */
    @Override
    public List<CommitMessage> prepareCommit(boolean last, long checkpointId)
            throws WriteFailedException, InterruptedException {
        List<CompletableFuture<List<CommitMessage>>> flushes = new ArrayList<>();
        for (WriterThread<T> thread : threads) {
            flushes.add(thread.prepareCommit(last, checkpointId));
        }
        List<CommitMessage> files = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            try {
                files.addAll(flushes.get(i).get());
            } catch (ExecutionException e) {
                threads.get(i).check();
                throw new IllegalStateException(
                        "A writer's thread ended while checkpoint " + checkpointId + " was being flushed: "
                                + e.getCause(),
                        e.getCause());
            }
        }
        return files;
    }

    @Override
    public void close() throws Exception {
        threads.forEach(WriterThread::end);
        IOUtils.closeAll(writers);
    }
}
