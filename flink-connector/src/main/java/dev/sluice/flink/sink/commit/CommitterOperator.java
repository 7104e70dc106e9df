/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns committables into snapshots: when a checkpoint completes, or once at the end of a batch job. Runs alone, at
 * parallelism 1. All methods are called by the task's thread; a commit blocks it and nothing else, for the task has no
 * other operator that matters.
 */
final class CommitterOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<Committable, Void>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("sluice-committer", BytePrimitiveArraySerializer.INSTANCE);

    private final Committer.Opener opener;
    private final boolean streaming;
    private final transient PendingCommits pending = new PendingCommits();

    private final String newCommitUser;
    private String commitUser;
    private transient @Nullable ListState<byte[]> state;
    private transient @Nullable Committer committer;
    private long watermark = Long.MIN_VALUE;
    private boolean inputEnded;

    CommitterOperator(
            StreamOperatorParameters<Void> parameters,
            String newCommitUser,
            Committer.Opener opener,
            boolean streaming) {
        super(parameters);
        this.newCommitUser = newCommitUser;
        this.commitUser = newCommitUser;
        this.opener = opener;
        this.streaming = streaming;
    }

    /** Commits what the restored checkpoint covers and the table lacks, before the task counts as running. */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        List<PendingCommit> restored = List.of();
        if (streaming) {
            ListState<byte[]> stored = context.getOperatorStateStore().getListState(STATE);
            for (byte[] bytes : stored.get()) {
                CommitterState read = CommitterState.fromBytes(bytes);
                commitUser = read.commitUser();
                restored = read.pending();
            }
            state = stored;
        }
        Committer opened = opener.open(commitUser);
        committer = opened;
        if (context.getRestoredCheckpointId().isPresent()) {
            long checkpointId = context.getRestoredCheckpointId().getAsLong();
            opened.recover(checkpointId, restored);
            RecoveryGate.open(
                    getContainingTask().getEnvironment().getGlobalAggregateManager(),
                    newCommitUser,
                    checkpointId,
                    commitUser);
        }
    }

    @Override
    public void processElement(StreamRecord<Committable> element) {
        pending.add(element.getValue());
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        super.processWatermark(mark);
        // The end of the input counts as the end of time, which is nothing a snapshot should claim.
        if (mark.getTimestamp() != Long.MAX_VALUE) {
            watermark = mark.getTimestamp();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (state != null) {
            boolean evenIfEmpty = committer().wantsEmptySnapshots();
            List<PendingCommit> all = pending.seal(context.getCheckpointId(), watermarkOrNull(), evenIfEmpty);
            state.update(List.of(new CommitterState(commitUser, all).toBytes()));
        }
    }

    /** Not called for every checkpoint: a later one's completion covers those before it. */
    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        committer().commit(pending.upTo(checkpointId));
        pending.committed(checkpointId);
        if (inputEnded) {
            committer().finish();
        }
    }

    /**
     * In a streaming job the last rows are committed by the checkpoint that follows, as all others are. A batch job may
     * come here twice if its last task is run again, so it looks whether its commit is there.
     */
    @Override
    public void endInput() throws Exception {
        inputEnded = true;
        if (!streaming) {
            committer().recover(PendingCommit.END_OF_BATCH, List.of(pending.whole(watermarkOrNull())));
            committer().finish();
        }
    }

    private @Nullable Long watermarkOrNull() {
        return watermark == Long.MIN_VALUE ? null : watermark;
    }

    private Committer committer() {
        if (committer == null) {
            throw new IllegalStateException("The committer of commit user " + commitUser + " is not open.");
        }
        return committer;
    }

    @Override
    public void close() throws Exception {
        try {
            if (committer != null) {
                committer.close();
            }
        } finally {
            super.close();
        }
    }
}
