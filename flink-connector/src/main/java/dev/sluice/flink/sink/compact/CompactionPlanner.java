/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.compact;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.SmallFilePlanner;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After every checkpoint looks for small files in the snapshots since the last one, on a thread of its own. Runs alone, at
 * parallelism 1. Keeps no state: a restarted one begins with all files of the newest snapshot, so that what was on its way
 * is planned again. The writers' committables that it is given only tell it how long there are writers.
 *
 * <p>A checkpoint that completes proves that the committer has made up for what a restored checkpoint lacked, so files
 * that are about to be replaced by that are never planned.
 */
final class CompactionPlanner extends AbstractStreamOperator<byte[]>
        implements OneInputStreamOperator<Committable, byte[]>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CompactionPlanner.class);
    private static final int MAILBOX_PRIORITY = 0;

    private final StoreTable table;

    /** Filled by the planning thread, emptied by the task's. */
    private final transient Queue<byte[]> planned = new ConcurrentLinkedQueue<>();

    private transient @Nullable MailboxExecutor mailbox;
    private transient @Nullable ExecutorService thread;
    private transient @Nullable SmallFilePlanner planner;
    private transient @Nullable Future<?> planning;
    private boolean inputEnded;

    /** Set by the task's thread ahead of interrupting the other. */
    private transient volatile boolean closed;

    CompactionPlanner(StreamOperatorParameters<byte[]> parameters, StoreTable table) {
        super(parameters);
        this.table = table;
    }

    @Override
    public void open() throws Exception {
        super.open();
        mailbox = getContainingTask().getMailboxExecutorFactory().createExecutor(MAILBOX_PRIORITY);
        planner = new SmallFilePlanner(table);
        thread = Executors.newSingleThreadExecutor(new ExecutorThreadFactory("compaction-planner-" + table.name()));
    }

    @Override
    public void processElement(StreamRecord<Committable> element) {}

    /** If the thread still plans, the next checkpoint comes soon enough. */
    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        if (thread != null && !inputEnded && (planning == null || planning.isDone())) {
            planning = thread.submit(this::plan);
        }
    }

    /** Called by the planning thread. A table that cannot be looked at now is looked at again after the next checkpoint. */
    private void plan() {
        SmallFilePlanner files = planner;
        MailboxExecutor task = mailbox;
        if (files == null || task == null) {
            return;
        }
        try {
            List<byte[]> tasks = files.plan();
            if (!tasks.isEmpty()) {
                planned.addAll(tasks);
                task.execute(this::sendPlanned, "planned compactions of table %s", table);
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("The task that plans compactions of table {} has ended", table, e);
        } catch (Exception e) {
            if (closed) {
                LOG.debug("Planning compactions of table {} was interrupted", table, e);
                return;
            }
            LOG.warn(
                    "No compactions are planned of table {} after this checkpoint; the rows are not concerned, and the"
                            + " next checkpoint tries again",
                    table,
                    e);
            files.startOver();
        }
    }

    private void sendPlanned() {
        for (byte[] next = planned.poll(); next != null; next = planned.poll()) {
            output.collect(new StreamRecord<>(next));
        }
    }

    @Override
    public void endInput() throws Exception {
        inputEnded = true;
        if (planning != null) {
            planning.get();
        }
        sendPlanned();
    }

    @Override
    public void close() throws Exception {
        closed = true;
        if (thread != null) {
            thread.shutdownNow();
        }
        super.close();
    }
}
