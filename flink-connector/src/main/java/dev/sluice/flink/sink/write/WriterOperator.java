/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.RecoveryGate;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.FullCompactions;
import dev.sluice.flink.store.ManagedWriteBuffer;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.TableWriter;
import dev.sluice.flink.store.WriteFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;
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

    private transient @Nullable Writers<T> writers;
    private transient @Nullable WriterMetrics writerMetrics;
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
        writerMetrics = new WriterMetrics(getMetricGroup());
        writers = openWriters(commitUser);
        if (restored.isPresent() && plan.streaming() && FullCompactions.scheduled(plan.table())) {
            oweFullCompactions();
        }
    }

    /** Of this subtask's buckets; the table has all that the restored checkpoint covers by now. */
    private void oweFullCompactions() {
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        for (Slice slice : FullCompactions.owed(plan.table())) {
            if (BucketRouter.writer(slice.partition().hashCode(), slice.bucket(), subtasks) == subtask) {
                writers().oweFullCompaction(slice);
            }
        }
    }

    private Writers<T> openWriters(String commitUser) throws Exception {
        int count = plan.settings().writer().maxWritersPerTask();
        if (count == 1) {
            return openWriter(commitUser, plan.table(), 1, getMetricGroup());
        }
        StoreTable share = TableWriter.shareOfMemory(plan.table(), count);
        List<RowWriter<T>> opened = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                opened.add(
                        openWriter(commitUser, share, count, getMetricGroup().addGroup("writer", String.valueOf(i))));
            }
        } catch (Exception e) {
            IOUtils.closeAllQuietly(opened);
            throw e;
        }
        Environment task = getContainingTask().getEnvironment();
        return new WriterThreads<>(
                input,
                getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(),
                opened,
                getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader()),
                task.getTaskInfo().getTaskNameWithSubtasks() + " writer");
    }

    /** @param writers how many share the subtask's memory */
    private RowWriter<T> openWriter(String commitUser, StoreTable table, int writers, MetricGroup metrics)
            throws WriteFailedException {
        Environment task = getContainingTask().getEnvironment();
        ManagedWriteBuffer buffer = plan.settings().resources().managedMemory()
                ? ManagedShare.buffer(table, getOperatorConfig(), task, writers)
                : null;
        String[] tempDirectories = task.getIOManager().getSpillingDirectoriesPaths();
        TableWriter writer = TableWriter.open(table, commitUser, tempDirectories, plan.overwrite(), buffer, metrics);
        return new RowWriter<>(input, new FlinkToEngineRow(table.rowType()), writer, buffer);
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
        writers().write(element.getValue());
        writerMetrics().rows.inc();
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
        long start = System.nanoTime();
        List<CommitMessage> messages = input.outgoing(writers().prepareCommit(last, checkpointId));
        writerMetrics().flushed(System.nanoTime() - start, TableWriter.bytes(messages));
        if (last || !messages.isEmpty()) {
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
            output.collect(new StreamRecord<>(new Committable(checkpointId, subtask, subtasks, last, messages)));
        }
    }

    private Writers<T> writers() {
        if (writers == null) {
            throw new IllegalStateException("The writer of table " + plan.table() + " is not open.");
        }
        return writers;
    }

    private WriterMetrics writerMetrics() {
        if (writerMetrics == null) {
            throw new IllegalStateException("The writer of table " + plan.table() + " has no metrics yet.");
        }
        return writerMetrics;
    }

    @Override
    public void close() throws Exception {
        try (Writers<T> ignored = writers) {
            writers = null;
        } finally {
            super.close();
        }
    }
}
