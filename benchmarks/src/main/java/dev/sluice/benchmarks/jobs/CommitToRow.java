/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.execution.JobClient;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;

/**
 * How long a commit's row takes to arrive in a job that follows the table into {@link Arrivals}. Commits come from the
 * engine, which is the same for all connectors of Paimon, 3 to 8 seconds apart: at no multiple of a polling interval.
 */
final class CommitToRow {

    /** Their rows show that the job follows; they are not counted. */
    private static final int FIRST_COMMITS = 2;

    private static final long LEAST_PAUSE_MILLIS = 3_000;
    private static final long MOST_PAUSE_MILLIS = 8_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final FileStoreTable table;
    private final JobClient follower;

    /**
     * @param folder of the table, (n BIGINT, text STRING)
     * @param count of commits
     * @param seed of the pauses between them
     */
    record Commits(String folder, int count, long seed) {}

    private CommitToRow(FileStoreTable table, JobClient follower) {
        this.table = table;
        this.follower = follower;
    }

    /**
     * Cancels the job in the end.
     *
     * @return from just before each commit to its row's arrival, in milliseconds, in the order of the commits
     * @throws IllegalStateException if a row does not arrive
     */
    static List<Long> measure(JobClient follower, Commits commits) throws Exception {
        FileStoreTable table = FileStoreTableFactory.create(
                LocalFileIO.create(),
                new org.apache.paimon.fs.Path(Path.of(commits.folder()).toUri()));
        try {
            return new CommitToRow(table, follower).measure(commits);
        } finally {
            follower.cancel().get();
            awaitEnd(follower);
        }
    }

    private List<Long> measure(Commits commits) throws Exception {
        Map<Long, Long> arrivals = Arrivals.times();
        arrivals.clear();
        for (long number = 0; number < FIRST_COMMITS; number++) {
            commit(number);
            await(number);
        }
        SplittableRandom pauses = new SplittableRandom(commits.seed());
        List<Long> starts = new ArrayList<>();
        for (int i = 0; i < commits.count(); i++) {
            Thread.sleep(pauses.nextLong(LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS));
            starts.add(commit(FIRST_COMMITS + i));
        }
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < commits.count(); i++) {
            millis.add(TimeUnit.NANOSECONDS.toMillis(await(FIRST_COMMITS + i) - starts.get(i)));
        }
        return millis;
    }

    /** Returns when it began to make the row visible. */
    private long commit(long number) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.write(GenericRow.of(number, BinaryString.fromString("row " + number)));
            var messages = write.prepareCommit();
            long start = System.nanoTime();
            commit.commit(messages);
            return start;
        }
    }

    private long await(long number) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Long arrival = Arrivals.times().get(number);
        while (arrival == null) {
            if (System.nanoTime() > deadline || follower.getJobExecutionResult().isDone()) {
                throw new IllegalStateException("The row " + number + " has not arrived. The job's end: "
                        + follower.getJobExecutionResult().handle((result, failure) -> failure));
            }
            Thread.sleep(20);
            arrival = Arrivals.times().get(number);
        }
        return arrival;
    }

    private static void awaitEnd(JobClient job) throws InterruptedException, TimeoutException {
        try {
            job.getJobExecutionResult().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException cancelled) {
            // As it was asked to.
            return;
        }
    }
}
