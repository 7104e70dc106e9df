/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.sink.commit.RecoveryGate;
import dev.sluice.flink.store.DynamicBuckets;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the hash of each row's key by its bucket. Keeps nothing of it in its state: which key is in which bucket stands in the table, in
 * the index that the writers keep. All methods are called by the task's thread.
 */
final class DynamicBucketOperator extends AbstractStreamOperator<BucketedRow>
        implements OneInputStreamOperator<BucketedRow, BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final AssignerPlan plan;
    private final transient FlinkToEngineRow rows = new FlinkToEngineRow();
    private transient @Nullable DynamicBuckets buckets;

    DynamicBucketOperator(StreamOperatorParameters<BucketedRow> parameters, AssignerPlan plan) {
        super(parameters);
        this.plan = plan;
    }

    /** Waits until the index has all that the restored checkpoint covers; else its keys would get other buckets. */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        if (plan.streaming()) {
            AssignerState.keep(context.getOperatorStateStore());
        }
        String commitUser = RecoveryGate.await(
                getContainingTask().getEnvironment().getGlobalAggregateManager(),
                plan.table(),
                plan.newCommitUser(),
                context.getRestoredCheckpointId());
        TaskInfo task = getRuntimeContext().getTaskInfo();
        buckets = DynamicBuckets.open(
                plan.table(),
                commitUser,
                task.getIndexOfThisSubtask(),
                task.getNumberOfParallelSubtasks(),
                plan.overwrite());
    }

    @Override
    public void processElement(StreamRecord<BucketedRow> element) throws Exception {
        BucketedRow row = element.getValue();
        int bucket = buckets().assign(rows.convert(row.row()), row.bucket());
        row.replace(row.partitionHash(), bucket, row.row());
        output.collect(element);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        buckets().checkpoint(checkpointId);
    }

    private DynamicBuckets buckets() {
        if (buckets == null) {
            throw new IllegalStateException("The bucket assigner of table " + plan.table() + " is not open.");
        }
        return buckets;
    }
}
