/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.RecoveryGate;
import dev.sluice.flink.store.ManagedWriteBuffer;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.TableWriter;
import dev.sluice.flink.store.WriteFailedException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows into data files and sends a committable ahead of every checkpoint barrier and at the end of the input. All
 * methods are called by the task's thread.
 */
final class WriterOperator<T> extends AbstractStreamOperator<Committable>
        implements OneInputStreamOperator<T, Committable>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final ListStateDescriptor<byte[]> FIRST_VERSION =
            new ListStateDescriptor<>("sluice-writer", BytePrimitiveArraySerializer.INSTANCE);
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("sluice-writer-user", BytePrimitiveArraySerializer.INSTANCE);

    private final WriterPlan plan;
    private final WriterInput<T> input;

    private final transient FlinkToEngineRow rows = new FlinkToEngineRow();

    private transient @Nullable TableWriter writer;
    private transient @Nullable ManagedWriteBuffer buffer;
    private long lastBarrier;
    private boolean inputEnded;

    WriterOperator(StreamOperatorParameters<Committable> parameters, WriterPlan plan, WriterInput<T> input) {
        super(parameters);
        this.plan = plan;
        this.input = input;
    }

    /**
     * Writers of buckets continue the buckets' sequence numbers, so they wait here for the committer's recovery. Writers
     * without buckets look at no existing files.
     */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        OptionalLong restored = context.getRestoredCheckpointId();
        lastBarrier = restored.orElse(0);
        if (plan.streaming()) {
            keepState(context.getOperatorStateStore());
        }
        String commitUser = plan.newCommitUser();
        if (plan.streaming() && plan.layout().continuesBuckets()) {
            commitUser = RecoveryGate.await(
                    getContainingTask().getEnvironment().getGlobalAggregateManager(),
                    plan.table(),
                    plan.newCommitUser(),
                    restored);
        }
        writer = openWriter(commitUser);
    }

    private TableWriter openWriter(String commitUser) throws WriteFailedException {
        Environment task = getContainingTask().getEnvironment();
        ManagedWriteBuffer managed = plan.settings().resources().managedMemory()
                ? ManagedShare.buffer(plan.table(), getOperatorConfig(), task, 1)
                : null;
        buffer = managed;
        String[] tempDirectories = task.getIOManager().getSpillingDirectoriesPaths();
        return TableWriter.open(
                plan.table(), commitUser, tempDirectories, plan.overwrite(), managed, getMetricGroup());
    }

    /**
     * Plain list state: with union state Flink refuses all checkpoints in which some writers have finished and others have
     * not. The first version had such; what it holds is of no use any more, but it cannot be removed, only emptied.
     */
    private void keepState(OperatorStateStore store) throws Exception {
        if (store.getRegisteredStateNames().contains(FIRST_VERSION.getName())) {
            ListState<byte[]> old = store.getUnionListState(FIRST_VERSION);
            checkReadable(old);
            old.clear();
        }
        ListState<byte[]> state = store.getListState(STATE);
        checkReadable(state);
        state.update(List.of(new WriterState(plan.newCommitUser()).toBytes()));
    }

    private static void checkReadable(ListState<byte[]> state) throws Exception {
        for (byte[] bytes : state.get()) {
            WriterState.fromBytes(bytes);
        }
    }

    @Override
    public void processElement(StreamRecord<T> element) throws Exception {
        T value = element.getValue();
        writer().write(rows.convert(input.row(value)), input.bucket(value));
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
        List<CommitMessage> messages = input.outgoing(open.prepareCommit(last, checkpointId));
        if (last || !messages.isEmpty()) {
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
            output.collect(new StreamRecord<>(new Committable(checkpointId, subtask, subtasks, last, messages)));
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
        // The buffer's memory must stay until nothing of the writer looks at it.
        try (ManagedWriteBuffer ignored = buffer;
                TableWriter ignoredToo = writer) {
            writer = null;
            buffer = null;
        } finally {
            super.close();
        }
    }
}
