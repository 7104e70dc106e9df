/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.CommitListeners;
import dev.sluice.flink.store.CommitSummary;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns committables into snapshots: when a checkpoint completes, or once at the end of a batch job. Runs alone, at
 * parallelism 1. All methods are called by the task's thread; the commits themselves run on a {@link CommittingThread}.
 */
final class CommitterOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<Committable, Void>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final int MOST_WAITING_COMMITS = 10;
    private static final int MAILBOX_PRIORITY = 0;
    private static final long NONE = -1;
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("sluice-committer", BytePrimitiveArraySerializer.INSTANCE);

    private final CommitterPlan plan;
    private final transient PendingCommits pending = new PendingCommits();
    private final transient CommitterMetrics commitMetrics = new CommitterMetrics();
    private final transient TreeSet<Long> untaggedSavepoints = new TreeSet<>();

    private String commitUser;
    private transient @Nullable ListState<byte[]> state;
    private transient @Nullable Committer committer;
    private transient @Nullable CommittingThread thread;
    private transient @Nullable CommitListeners listeners;
    private boolean emptyCommits;
    private long watermark = Long.MIN_VALUE;
    private boolean inputEnded;
    private boolean finished;
    /** The first checkpoint after all rows, or {@link #NONE}. */
    private long finalCheckpoint = NONE;
    /** The savepoint that the job stops with, after which the task is closed, or {@link #NONE}. */
    private long stoppedBy = NONE;

    CommitterOperator(StreamOperatorParameters<Void> parameters, CommitterPlan plan) {
        super(parameters);
        this.plan = plan;
        this.commitUser = plan.newCommitUser();
    }

    /** Commits what the restored checkpoint covers and the table lacks, before the task counts as running. */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        CommitterState restored = new CommitterState(commitUser, List.of(), List.of(), List.of(), List.of());
        if (plan.streaming()) {
            ListState<byte[]> stored = context.getOperatorStateStore().getListState(STATE);
            for (byte[] bytes : stored.get()) {
                restored = CommitterState.fromBytes(bytes);
            }
            state = stored;
            commitUser = restored.commitUser();
        }
        commitMetrics.register(getMetricGroup());
        Committer opened = plan.opener().open(commitUser);
        committer = opened;
        MailboxExecutor mailbox =
                getContainingTask().getMailboxExecutorFactory().createExecutor(MAILBOX_PRIORITY);
        thread = new CommittingThread(
                plan.table(),
                opened,
                getUserCodeClassloader(),
                commitMetrics,
                this::tellListeners,
                failure -> failTask(mailbox, failure));
        listeners = plan.listeners()
                .open(new CommitListeners.Job(
                        commitUser,
                        getMetricGroup(),
                        plan.streaming(),
                        context.isRestored(),
                        context.getOperatorStateStore()::getListState,
                        List.of(getContainingTask()
                                .getEnvironment()
                                .getIOManager()
                                .getSpillingDirectoriesPaths())));
        emptyCommits = thread.call(opened::wantsEmptySnapshots);
        if (context.getRestoredCheckpointId().isPresent()) {
            goOnFrom(context.getRestoredCheckpointId().getAsLong(), restored);
        }
    }

    private void goOnFrom(long checkpointId, CommitterState restored) throws Exception {
        committer().restoreUnmarkedPartitions(restored.unmarkedPartitions());
        tellListeners(restored.untold());
        recover(checkpointId, restored.pending());
        RecoveryGate.open(
                getContainingTask().getEnvironment().getGlobalAggregateManager(),
                plan.newCommitUser(),
                checkpointId,
                commitUser);
        untaggedSavepoints.addAll(restored.untaggedSavepoints());
        tagSavepoints(checkpointId);
    }

    private void recover(long checkpointId, List<PendingCommit> commits) throws Exception {
        Committer open = committer();
        long started = System.nanoTime();
        CommitSummary summary = thread().call(() -> open.recover(checkpointId, commits));
        int committables =
                commits.stream().mapToInt(one -> one.messages().size()).sum();
        commitMetrics.recovered(committables, summary, System.nanoTime() - started);
        tellListeners(commits);
    }

    /** Called by the committing thread, or by the task's while that one has nothing to do. */
    private void tellListeners(List<PendingCommit> commits) {
        if (listeners != null && !commits.isEmpty()) {
            listeners.committed(commits);
        }
    }

    /** Called by the committing thread. A task that is about to end has no use for it. */
    private void failTask(MailboxExecutor mailbox, Exception failure) {
        try {
            mailbox.execute(
                    () -> {
                        throw failure;
                    },
                    "failed commit to table %s",
                    plan.table());
        } catch (RejectedExecutionException e) {
            LOG.warn("A commit to table {} failed while its task ended", plan.table(), failure);
        }
    }

    @Override
    public void processElement(StreamRecord<Committable> element) {
        pending.add(element.getValue());
        commitMetrics.received(element.getValue().messages().size());
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        super.processWatermark(mark);
        // The end of the input counts as the end of time, which is nothing a snapshot should claim.
        if (mark.getTimestamp() != Long.MAX_VALUE) {
            watermark = mark.getTimestamp();
        }
    }

    /** The only place where an operator learns that a checkpoint is a savepoint, and whether the job stops with it. */
    @Override
    public OperatorSnapshotFutures snapshotState(
            long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory storage)
            throws Exception {
        if (plan.savepointsTagged() && options.getCheckpointType().isSavepoint()) {
            untaggedSavepoints.add(checkpointId);
        }
        if (options.getCheckpointType() instanceof SavepointType savepoint && savepoint.isSynchronous()) {
            stoppedBy = checkpointId;
        }
        return super.snapshotState(checkpointId, timestamp, options, storage);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (state != null) {
            thread().checkFailure();
            pending.committed(thread().committedUpTo());
            // Looked up after that: a commit is noted there before it counts as done.
            List<String> unmarked = committer().unmarkedPartitions();
            List<PendingCommit> all = pending.seal(context.getCheckpointId(), watermarkOrNull(), emptyCommits);
            List<PendingCommit> untold = listeners == null ? List.of() : listeners.snapshot();
            CommitterState now = new CommitterState(commitUser, all, unmarked, List.copyOf(untaggedSavepoints), untold);
            state.update(List.of(now.toBytes()));
        }
        if (finished && finalCheckpoint == NONE) {
            finalCheckpoint = context.getCheckpointId();
        }
    }

    /**
     * Not called for every checkpoint: a later one's completion covers those before it. Waits for the commit if the task is
     * about to end, since there is no later moment, or if too many commits are waiting, which slows down the checkpoints.
     */
    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        if (!plan.streaming()) {
            return;
        }
        thread().checkFailure();
        thread().commit(pending.takeUpTo(checkpointId));
        Committer open = committer();
        Long mark = watermarkOrNull();
        boolean ended = inputEnded;
        thread().execute(() -> open.checkpointCompleted(mark, ended));
        tagSavepoints(checkpointId);
        tellEndOfInput(checkpointId, mark);
        boolean last = finished || checkpointId == stoppedBy;
        thread().awaitAtMost(last ? 0 : MOST_WAITING_COMMITS);
        if (last) {
            awaitUpkeep();
        }
    }

    private void tellEndOfInput(long checkpointId, @Nullable Long mark) {
        CommitListeners told = listeners;
        if (told != null && finalCheckpoint != NONE && checkpointId >= finalCheckpoint) {
            finalCheckpoint = Long.MAX_VALUE;
            thread().execute(() -> told.inputEnded(mark));
        }
    }

    private void tagSavepoints(long upTo) {
        Committer open = committer();
        for (Long savepoint : untaggedSavepoints.headSet(upTo, true)) {
            thread().execute(() -> open.tagSavepoint(savepoint));
        }
        untaggedSavepoints.headSet(upTo, true).clear();
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        super.notifyCheckpointAborted(checkpointId);
        if (checkpointId == stoppedBy) {
            stoppedBy = NONE;
        }
        if (plan.savepointsTagged()) {
            Committer open = committer();
            untaggedSavepoints.remove(checkpointId);
            thread().execute(() -> open.untagSavepoint(checkpointId));
        }
    }

    /**
     * In a streaming job the last rows are committed by the checkpoint that follows, as all others are. A batch job may
     * come here twice if its last task is run again, so it looks whether its commit is there.
     */
    @Override
    public void endInput() throws Exception {
        inputEnded = true;
        if (plan.endInputWatermark() != null) {
            watermark = plan.endInputWatermark();
            // Only a snapshot can carry it, and there may be no rows left to make one for.
            emptyCommits = true;
        }
        if (!plan.streaming()) {
            recover(PendingCommit.END_OF_BATCH, List.of(pending.whole(watermarkOrNull())));
            Committer open = committer();
            thread().execute(() -> open.checkpointCompleted(watermarkOrNull(), true));
            awaitUpkeep();
        }
    }

    /** Not called when a job is suspended with a savepoint. */
    @Override
    public void finish() throws Exception {
        super.finish();
        finished = true;
    }

    private void awaitUpkeep() throws Exception {
        Committer open = committer();
        thread().call(() -> {
            open.finish();
            return true;
        });
        if (listeners != null) {
            listeners.awaitIdle();
        }
    }

    private @Nullable Long watermarkOrNull() {
        return watermark == Long.MIN_VALUE ? null : watermark;
    }

    private Committer committer() {
        return Objects.requireNonNull(committer, "committer is not open");
    }

    private CommittingThread thread() {
        return Objects.requireNonNull(thread, "committer is not open");
    }

    @Override
    public void close() throws Exception {
        try {
            if (thread != null) {
                thread.close();
            } else if (committer != null) {
                committer.close();
            }
        } finally {
            closeListeners();
        }
    }

    private void closeListeners() throws Exception {
        try {
            if (listeners != null) {
                listeners.close();
            }
        } finally {
            super.close();
        }
    }
}
