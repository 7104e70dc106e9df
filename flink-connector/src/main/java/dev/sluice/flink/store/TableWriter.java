/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.memory.MemoryPoolFactory;
import org.apache.paimon.memory.MemorySegmentPool;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.SinkRecord;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.jspecify.annotations.Nullable;

/**
 * Writes the data files of one writer subtask. Used by one thread; the engine compacts on threads of its own. Closing it
 * deletes the files that were written and not yet handed out by {@link #prepareCommit}.
 */
public final class TableWriter implements AutoCloseable {

    /** The bucket of rows of a table without buckets. */
    public static final int NO_BUCKET = 0;

    /** The bucket of rows that a later compaction gives their bucket. */
    public static final int POSTPONED_BUCKET = BucketMode.POSTPONE_BUCKET;

    private static final String WRITE_ADVICE =
            "Check that every task manager can write under the table's path and has disk space left. The job starts"
                    + " again from its last checkpoint, if its restart strategy lets it.";

    private static final String ROW_ADVICE = "The table does not take this row, and the job does not get past it:"
            + " filter or correct such rows in the query, then run the job again.";

    private final StoreTable table;
    private final IOManager ioManager;
    private final TableWriteImpl<?> write;
    private final boolean waitForCompaction;
    private final RowRules rules;
    private final @Nullable FullCompactions fullCompactions;

    private TableWriter(StoreTable table, IOManager ioManager, TableWriteImpl<?> write, boolean waitForCompaction) {
        this.table = table;
        this.ioManager = ioManager;
        this.write = write;
        this.waitForCompaction = waitForCompaction;
        this.rules = new RowRules(table);
        this.fullCompactions = FullCompactions.of(table.fileStore());
    }

    /** With the buffer on the heap and metrics that nobody sees. */
    public static TableWriter open(StoreTable table, String commitUser, String[] tempDirectories, boolean overwrite) {
        return open(table, commitUser, tempDirectories, overwrite, null, new UnregisteredMetricsGroup());
    }

    /**
     * @param commitUser must be the committer's: writers are closed once their files are committed by this user
     * @param tempDirectories local folders that buffers spill to
     * @param overwrite whether the existing files are about to be replaced, so that they are not looked at
     * @param buffer where rows are gathered, or null for the table's {@code write-buffer-size} of the heap; the caller
     *     closes it after this writer
     * @param metrics the operator's, to which those of the engine are added
     */
    public static TableWriter open(
            StoreTable table,
            String commitUser,
            String[] tempDirectories,
            boolean overwrite,
            @Nullable MemorySegmentPool buffer,
            MetricGroup metrics) {
        FileStoreTable store = table.fileStore();
        TableWriteImpl<?> write =
                store.newWrite(commitUser, lane(store)).withMetricRegistry(new EngineMetrics(metrics));
        if (buffer != null) {
            write.withMemoryPoolFactory(new MemoryPoolFactory(buffer));
        }
        // Made last: it makes folders, which only close() removes.
        IOManager ioManager = IOManager.create(tempDirectories);
        write.withIOManager(ioManager).withIgnorePreviousFiles(overwrite);
        // Of a table whose partitions have different numbers of buckets, the table's own number says nothing.
        write.getWrite().withIgnoreNumBucketCheck(PostponedBuckets.differ(store));
        CoreOptions options = store.coreOptions();
        return new TableWriter(table, ioManager, write, options.prepareCommitWaitCompaction() && !options.writeOnly());
    }

    /**
     * A later compaction keeps the order of files of one lane only. One for all writers of a job keeps it over a change of
     * their number; where a sequence field orders the rows, each writer has a lane of its own, and they are read at once.
     */
    private static @Nullable Integer lane(FileStoreTable store) {
        boolean ordered = store.coreOptions().sequenceField().isEmpty();
        return store.bucketMode() == BucketMode.POSTPONE_MODE && ordered ? 0 : null;
    }

    /**
     * The table as one of several writers of a subtask sees it: their buffers and caches together take what one would.
     *
     * @throws WriteFailedException if a part of the buffer is too small to write with
     */
    public static StoreTable shareOfMemory(StoreTable table, int writers) throws WriteFailedException {
        CoreOptions options = table.fileStore().coreOptions();
        long buffer = options.writeBufferSize() / writers;
        if (buffer < (long) ManagedWriteBuffer.LEAST_PAGES * options.pageSize()) {
            throw WriteFailedException.because(
                    "'" + CoreOptions.WRITE_BUFFER_SIZE.key() + "' is " + options.writeBufferSize()
                            + " bytes and 'write.max-writers-per-task' is " + writers + ", which leaves each less than "
                            + ManagedWriteBuffer.LEAST_PAGES + " pages of " + options.pageSize() + " bytes",
                    "Opening a writer",
                    table,
                    null,
                    "The job does not go on before the buffer is larger or the writers are fewer.");
        }
        long cache = Math.max(1, options.lookupCacheMaxMemory().getBytes() / writers);
        return StoreTable.of(
                table.name(),
                table.fileStore()
                        .copy(Map.of(
                                CoreOptions.WRITE_BUFFER_SIZE.key(), buffer + " b",
                                CoreOptions.LOOKUP_CACHE_MAX_MEMORY_SIZE.key(), cache + " b")));
    }

    /**
     * @param row is not kept after the call
     * @param bucket {@link #NO_BUCKET} for a table without buckets
     */
    public void write(InternalRow row, int bucket) throws WriteFailedException, InterruptedException {
        if (rules.suspects(row)) {
            String problem = rules.problem(row);
            if (problem != null) {
                throw refused(problem, null);
            }
        }
        try {
            SinkRecord written = write.writeAndReturn(row, bucket);
            if (fullCompactions != null && written != null) {
                fullCompactions.note(written.partition(), bucket);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (concernsStorage(e)) {
                throw unwritten("Writing a row", e);
            }
            if (CommitFailures.concernsBuckets(e)) {
                throw WriteFailedException.during("Writing a row", table, e, CommitFailures.BUCKET_ADVICE);
            }
            String problem = rules.problem(row);
            throw problem == null
                    ? WriteFailedException.during("Writing a row", table, e, ROW_ADVICE)
                    : refused(problem, e);
        }
    }

    private WriteFailedException refused(String problem, @Nullable Exception cause) {
        return WriteFailedException.because(problem, "Writing a row", table, cause, ROW_ADVICE);
    }

    /** The engine removes a file that it could not write, then misses it: what it throws is the second failure. */
    private WriteFailedException unwritten(String doing, Exception e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof FileNotFoundException) {
                return WriteFailedException.because(
                        "a data file could not be written to its end, as when a disk is full, and was removed (the log of"
                                + " the task manager has the storage's own words before these: "
                                + t.getMessage() + ")",
                        doing,
                        table,
                        e,
                        WRITE_ADVICE);
            }
        }
        return WriteFailedException.during(doing, table, e, WRITE_ADVICE);
    }

    private static boolean concernsStorage(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** Has a bucket fully compacted when that is due next, as if it had been written. */
    public void oweFullCompaction(Slice slice) {
        if (fullCompactions != null) {
            fullCompactions.note(slice.partition(), slice.bucket());
        }
    }

    /**
     * Flushes and hands out the files written since the last call. From then on they belong to whoever commits them.
     *
     * @param lastTime whether no row follows, so that running compactions are waited for and not thrown away
     * @param checkpointId the checkpoint that will commit the files
     * @return only messages that carry files
     */
    public List<CommitMessage> prepareCommit(boolean lastTime, long checkpointId)
            throws WriteFailedException, InterruptedException {
        try {
            boolean wait = lastTime || waitForCompaction;
            if (fullCompactions != null && fullCompactions.due(lastTime, checkpointId)) {
                fullCompactions.begin(write);
                wait = true;
            }
            List<CommitMessage> withFiles = new ArrayList<>();
            for (CommitMessage message : write.prepareCommit(wait, checkpointId)) {
                if (!((CommitMessageImpl) message).isEmpty()) {
                    withFiles.add(message);
                }
            }
            return withFiles;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw unwritten("Flushing the files of checkpoint " + checkpointId, e);
        }
    }

    /** Whether any of the messages carries results of a compaction. */
    public static boolean compacted(List<CommitMessage> messages) {
        for (CommitMessage message : messages) {
            if (!((CommitMessageImpl) message).compactIncrement().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The size of the files that the messages add to the table, changelog files among them; compactions left out. */
    public static long bytes(List<CommitMessage> messages) {
        long bytes = 0;
        for (CommitMessage message : messages) {
            DataIncrement files = ((CommitMessageImpl) message).newFilesIncrement();
            for (DataFileMeta file : files.newFiles()) {
                bytes += file.fileSize();
            }
            for (DataFileMeta file : files.changelogFiles()) {
                bytes += file.fileSize();
            }
        }
        return bytes;
    }

    @Override
    public void close() throws Exception {
        try (ioManager) {
            write.close();
        }
    }
}
