/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.RecoveryGate;
import dev.sluice.flink.store.TableWriter;
import dev.sluice.flink.store.WriteFailedException;
import dev.sluice.flink.store.WriteLayout;
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
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows into data files and sends a committable ahead of every checkpoint barrier and at the end of the input. All
 * methods are called by the task's thread.
 */
final class WriterOperator extends AbstractStreamOperator<Committable>
        implements OneInputStreamOperator<RowData, Committable>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("sluice-writer", BytePrimitiveArraySerializer.INSTANCE);

    private final WriterPlan plan;

    private final transient FlinkToEngineRow rows = new FlinkToEngineRow();

    private transient WriterState own;
    private transient @Nullable ListState<byte[]> state;
    private transient @Nullable TableWriter writer;
    private long lastBarrier;
    private boolean inputEnded;

    WriterOperator(StreamOperatorParameters<Committable> parameters, WriterPlan plan) {
        super(parameters);
        this.plan = plan;
        this.own = new WriterState(plan.newCommitUser(), 0, false);
    }

    /**
     * Writers of buckets continue the buckets' sequence numbers, so they wait here for the committer's recovery. Writers
     * without buckets look at no existing files and keep no state: Flink lets them finish one after another, which it
     * does not with union state.
     */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        lastBarrier = context.getRestoredCheckpointId().orElse(0);
        if (plan.streaming() && plan.layout() == WriteLayout.FIXED_BUCKETS) {
            ListState<byte[]> all = context.getOperatorStateStore().getUnionListState(STATE);
            state = all;
            WriterState restored = null;
            for (byte[] bytes : all.get()) {
                WriterState one = WriterState.fromBytes(bytes);
                restored = restored == null ? one : restored.with(one);
            }
            if (restored != null) {
                if (restored.newestCheckpoint() > 0) {
                    RecoveryGate.await(
                            plan.table(), restored.commitUser(), restored.newestCheckpoint(), restored.compacted());
                }
                own = restored.allCommitted();
            }
        }
        String[] tempDirectories =
                getContainingTask().getEnvironment().getIOManager().getSpillingDirectoriesPaths();
        writer = TableWriter.open(plan.table(), own.commitUser(), tempDirectories, plan.overwrite());
    }

    @Override
    public void processElement(StreamRecord<RowData> element) throws Exception {
        writer().write(rows.convert(element.getValue()));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        if (plan.streaming() && !inputEnded) {
            send(checkpointId, false);
        }
        lastBarrier = checkpointId;
    }

    /** Files of the last rows belong to the next checkpoint; which one that is does not depend on other writers. */
    @Override
    public void endInput() throws Exception {
        inputEnded = true;
        send(plan.streaming() ? lastBarrier + 1 : PendingCommit.END_OF_BATCH, true);
    }

    private void send(long checkpointId, boolean last) throws Exception {
        TableWriter open = writer();
        List<CommitMessage> messages = open.prepareCommit(last, checkpointId);
        if (!messages.isEmpty()) {
            own = new WriterState(own.commitUser(), checkpointId, TableWriter.compacted(messages));
        } else if (state != null && own.newestCheckpoint() > 0) {
            rememberIfCommitted();
        }
        if (last || !messages.isEmpty()) {
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
            output.collect(new StreamRecord<>(new Committable(checkpointId, subtask, subtasks, last, messages)));
        }
    }

    /** While rows keep coming the next commit is soon; an idle job's last snapshot may expire before it is restored. */
    private void rememberIfCommitted() throws WriteFailedException {
        if (RecoveryGate.isCommitted(plan.table(), own.commitUser(), own.newestCheckpoint(), own.compacted())) {
            own = own.allCommitted();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (state != null) {
            state.update(List.of(own.toBytes()));
        }
    }

    private TableWriter writer() {
        if (writer == null) {
            throw new IllegalStateException("The writer of table " + plan.table() + " is not open.");
        }
        return writer;
    }

    @Override
    public void close() throws Exception {
        try {
            if (writer != null) {
                writer.close();
            }
        } finally {
            super.close();
        }
    }
}
