/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.runtime.taskexecutor.GlobalAggregateManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a restored writer or assigner back until its job's committer has made the snapshots that the restored checkpoint
 * still lacked. A writer that looked at a bucket before would number its rows from a state that is about to be outdated.
 *
 * <p>The committer tells the job manager which checkpoint it has recovered, and the others ask there. So they need no
 * state of their own, whatever their parallelism was and whichever of them have finished, and no snapshot that may have
 * expired by now. The job manager keeps the answer over restarts of the job's tasks: what has been recovered once stays
 * so. It loses it with its own restart, which restarts all tasks too.
 */
public final class RecoveryGate {

    private static final Logger LOG = LoggerFactory.getLogger(RecoveryGate.class);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private RecoveryGate() {}

    /**
     * Called by the committer once all that its restored checkpoint covers is in the table.
     *
     * @param sink the commit user that the sink was planned with, which no other sink has
     * @param commitUser the one that the job's commits bear, which is an earlier one's if the job was restored
     * @throws IOException if the job manager does not answer
     */
    static void open(GlobalAggregateManager jobManager, String sink, long restoredCheckpoint, String commitUser)
            throws IOException {
        jobManager.updateGlobalAggregate(key(sink), restoredCheckpoint + " " + commitUser, new Newest());
    }

    /**
     * Blocks the calling thread, the operator's, while it is being restored. Returns at once in a job that is not.
     *
     * @param sink the commit user that the sink was planned with
     * @param restoredCheckpoint the checkpoint that the calling operator is restored from, if it is
     * @return the commit user that the job's commits bear
     * @throws IOException if the committer has not recovered within ten minutes
     */
    public static String await(
            GlobalAggregateManager jobManager, StoreTable table, String sink, OptionalLong restoredCheckpoint)
            throws IOException, InterruptedException {
        if (restoredCheckpoint.isEmpty()) {
            return sink;
        }
        long checkpoint = restoredCheckpoint.getAsLong();
        long started = System.nanoTime();
        long pause = SHORTEST_PAUSE.toMillis();
        while (true) {
            String answer = ask(jobManager, sink);
            int space = answer.indexOf(' ');
            if (space > 0 && Long.parseLong(answer.substring(0, space)) >= checkpoint) {
                return answer.substring(space + 1);
            }
            long waited = System.nanoTime() - started;
            if (waited > LONGEST_WAIT.toNanos()) {
                throw new IOException("The committer of table " + table + " has not made the snapshots that checkpoint "
                        + checkpoint + " lacked within " + LONGEST_WAIT.toMinutes()
                        + " minutes, and writers wait for them. See the log of the task 'Committer : ...'.");
            }
            TimeUnit.MILLISECONDS.sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE.toMillis());
        }
    }

    /** An answer that does not come is asked for again: the job manager may be busy, and the wait has its own end. */
    private static String ask(GlobalAggregateManager jobManager, String sink) throws InterruptedException {
        try {
            return jobManager.updateGlobalAggregate(key(sink), "", new Newest());
        } catch (IOException e) {
            if (e.getCause() instanceof InterruptedException) {
                throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
            }
            LOG.info("The job manager has not said yet whether the committer of sink {} has recovered", sink, e);
            return "";
        }
    }

    private static String key(String sink) {
        return "sluice-recovered-" + sink;
    }

    /** Runs in the job manager, which keeps the accumulator: the newest checkpoint and the commit user, or nothing. */
    private static final class Newest implements AggregateFunction<String, String, String> {

        private static final long serialVersionUID = 1L;

        @Override
        public String createAccumulator() {
            return "";
        }

        @Override
        public String add(String said, String known) {
            return said.isEmpty() || checkpoint(said) < checkpoint(known) ? known : said;
        }

        @Override
        public String getResult(String known) {
            return known;
        }

        @Override
        public String merge(String one, String other) {
            return add(one, other);
        }

        private static long checkpoint(String said) {
            return said.isEmpty() ? -1 : Long.parseLong(said.substring(0, said.indexOf(' ')));
        }
    }
}
