/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.AssignerOperatorFactory;
import dev.sluice.flink.sink.assign.AssignerPlan;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.assign.KeyPartitioner;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.DynamicBuckets;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

/** {@code rows, chained: key hash → shuffle by key → assigners → shuffle by partition and bucket → writers}. */
final class DynamicBucketTopology {

    private DynamicBucketTopology() {}

    static SingleOutputStreamOperator<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        DataStream<BucketedRow> hashed = stages.routed(rows, BucketRouter.Goal.KEY_HASH);
        DataStream<BucketedRow> byKey =
                SinkStages.through(hashed, new KeyPartitioner(DynamicBuckets.mostAssigners(stages.table())));
        AssignerPlan plan =
                new AssignerPlan(stages.table(), stages.commitUser(), stages.overwrite(), stages.streaming());
        SingleOutputStreamOperator<BucketedRow> assigned =
                stages.assigners(AssignerOperatorFactory.dynamicBuckets(byKey, plan), rows);
        return stages.writers(
                SinkStages.byAssignedBucket(assigned), WriteLayout.DYNAMIC_BUCKETS, WriterInput.bucketed());
    }
}
