/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.AssignerOperatorFactory;
import dev.sluice.flink.sink.assign.AssignerPlan;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.assign.BucketedRowTypeInfo;
import dev.sluice.flink.sink.assign.KeyOrRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import java.util.Map;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.CoreOptions;
import org.jspecify.annotations.Nullable;

/** {@code rows, chained: existing keys ahead → shuffle by key → assigners → shuffle by bucket → writers}. */
final class CrossPartitionTopology {

    private CrossPartitionTopology() {}

    static SingleOutputStreamOperator<Committable> write(
            DataStream<RowData> rows, SinkStages stages, @Nullable Map<String, String> overwrite) {
        if (overwrite != null) {
            checkOverwrite(stages.table(), overwrite);
        }
        if (stages.streaming()) {
            CheckpointingRules.checkMovingRows(stages.table(), rows.getExecutionEnvironment());
        }
        AssignerPlan plan =
                new AssignerPlan(stages.table(), stages.commitUser(), stages.overwrite(), stages.streaming());
        SingleOutputStreamOperator<KeyOrRow> indexed =
                stages.chained(AssignerOperatorFactory.keyIndex(SinkStages.lent(rows), plan), "Key index", rows);
        SingleOutputStreamOperator<BucketedRow> assigned = stages.assigners(
                AssignerOperatorFactory.keyAssigner(
                        AssignerOperatorFactory.keysAndRows(indexed), new BucketedRowTypeInfo(rows.getType()), plan),
                rows);
        int weight = stages.settings().resources().crossPartitionWeight().getMebiBytes();
        assigned.getTransformation()
                .declareManagedMemoryUseCaseAtOperatorScope(ManagedMemoryUseCase.OPERATOR, Math.max(1, weight));
        return stages.writers(
                SinkStages.byAssignedBucket(assigned), WriteLayout.CROSS_PARTITION, WriterInput.bucketed());
    }

    /** A key of the new rows may be in a partition that stays, where nothing would delete it. */
    private static void checkOverwrite(StoreTable table, Map<String, String> partition) {
        if (!partition.isEmpty() || CoreOptions.fromMap(table.options()).dynamicPartitionOverwrite()) {
            throw new ValidationException("INSERT OVERWRITE can only replace all of table " + table
                    + ", for a key of its"
                    + " primary key " + table.primaryKeys() + " may be in any partition, also in one that would stay."
                    + " Leave out PARTITION (...) and set '" + CoreOptions.DYNAMIC_PARTITION_OVERWRITE.key()
                    + "' = 'false', for example as a hint; or delete the old rows and use INSERT INTO.");
        }
    }
}
