/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.sink.commit.RecoveryGate;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.KeyIndexReader;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

/**
 * Reads where the table's keys are and sends that ahead of all rows, which it then sends on with the hash of their key.
 * All methods are called by the task's thread.
 */
final class KeyIndexOperator extends AbstractStreamOperator<KeyOrRow>
        implements OneInputStreamOperator<RowData, KeyOrRow> {

    private static final long serialVersionUID = 1L;

    private final AssignerPlan plan;
    private final transient FlinkToEngineRow rows = new FlinkToEngineRow();
    private final transient BucketRouter router;

    KeyIndexOperator(StreamOperatorParameters<KeyOrRow> parameters, AssignerPlan plan) {
        super(parameters);
        this.plan = plan;
        this.router = BucketRouter.by(BucketRouter.Goal.GLOBAL_KEY_HASH, plan.table());
    }

    /** Waits until the table has all that the restored checkpoint covers. */
    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        if (plan.streaming()) {
            AssignerState.keep(context.getOperatorStateStore());
        }
        RecoveryGate.await(
                getContainingTask().getEnvironment().getGlobalAggregateManager(),
                plan.table(),
                plan.newCommitUser(),
                context.getRestoredCheckpointId());
    }

    @Override
    public void open() throws Exception {
        super.open();
        if (!plan.overwrite()) {
            TaskInfo task = getRuntimeContext().getTaskInfo();
            KeyIndexReader.readAll(
                    plan.table(),
                    task.getIndexOfThisSubtask(),
                    task.getNumberOfParallelSubtasks(),
                    (keyHash, entry) -> output.collect(new StreamRecord<>(new KeyOrRow(keyHash, null, entry))));
        }
    }

    @Override
    public void processElement(StreamRecord<RowData> element) {
        RowData row = element.getValue();
        router.look(rows.convert(row));
        output.collect(element.replace(new KeyOrRow(router.number(), row, null)));
    }
}
