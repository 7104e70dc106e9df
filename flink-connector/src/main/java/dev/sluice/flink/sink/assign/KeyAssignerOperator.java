/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.KeyIndex;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Gives rows the bucket that their key has in any partition, and takes care of those whose key is in another one. Entries
 * come ahead of all rows of their sender, so the index is complete when a first barrier, or the end, has come from all.
 * All methods are called by the task's thread.
 */
final class KeyAssignerOperator extends AbstractStreamOperator<BucketedRow>
        implements OneInputStreamOperator<KeyOrRow, BucketedRow>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final AssignerPlan plan;
    private final transient FlinkToEngineRow rows = new FlinkToEngineRow();
    private final transient EngineToFlinkRow changed = new EngineToFlinkRow();
    private final transient BucketRouter router;
    private transient @Nullable KeyIndex index;
    private transient @Nullable BucketedRow reused;
    private long reservedBytes;

    KeyAssignerOperator(StreamOperatorParameters<BucketedRow> parameters, AssignerPlan plan) {
        super(parameters);
        this.plan = plan;
        this.router = BucketRouter.by(BucketRouter.Goal.GLOBAL_KEY_HASH, plan.table());
    }

    @Override
    public void open() throws Exception {
        super.open();
        Environment task = getContainingTask().getEnvironment();
        double fraction = getOperatorConfig()
                .getManagedMemoryFractionOperatorUseCaseOfSlot(
                        ManagedMemoryUseCase.OPERATOR,
                        task.getJobConfiguration(),
                        task.getTaskManagerInfo().getConfiguration(),
                        task.getUserCodeClassLoader().asClassLoader());
        MemoryManager memory = task.getMemoryManager();
        long share = fraction > 0 ? memory.computeMemorySize(fraction) : 0;
        memory.reserveMemory(this, share);
        reservedBytes = share;
        TaskInfo info = getRuntimeContext().getTaskInfo();
        index = KeyIndex.open(
                plan.table(),
                new KeyIndex.Subtask(info.getIndexOfThisSubtask(), info.getNumberOfParallelSubtasks()),
                share,
                task.getAsyncOperationsThreadPool(),
                task.getIOManager().getSpillingDirectoriesPaths(),
                this::send);
    }

    @Override
    public void processElement(StreamRecord<KeyOrRow> element) throws Exception {
        KeyOrRow value = element.getValue();
        byte[] entry = value.entry();
        RowData row = value.row();
        if (entry != null) {
            index().add(entry);
        } else if (row != null) {
            index().assign(rows.convert(row));
        }
    }

    private void send(InternalRow row, int bucket) {
        router.look(row);
        RowData flinkRow = changed.convert(row);
        BucketedRow out = reused;
        if (out == null) {
            out = new BucketedRow(router.partitionHash(), bucket, flinkRow);
            reused = out;
        }
        output.collect(new StreamRecord<>(out.replace(router.partitionHash(), bucket, flinkRow)));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        index().complete(false);
    }

    @Override
    public void endInput() throws Exception {
        index().complete(true);
    }

    private KeyIndex index() {
        if (index == null) {
            throw new IllegalStateException("The key index of table " + plan.table() + " is not open.");
        }
        return index;
    }

    @Override
    public void close() throws Exception {
        try {
            if (index != null) {
                index.close();
            }
        } finally {
            getContainingTask().getEnvironment().getMemoryManager().releaseMemory(this, reservedBytes);
            super.close();
        }
    }
}
