/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.BucketPartitioner;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.PostponedBuckets;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.CoreOptions.PartitionSinkStrategy;

/**
 * {@code rows, chained: key hash → shuffle by partition and key → writers} of files that a compaction will give buckets.
 * Or, in batch, {@code rows, chained: bucket → shuffle by partition and bucket → writers} of buckets.
 */
final class PostponeTopology {

    private PostponeTopology() {}

    static SingleOutputStreamOperator<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        // Only ways that keep the rows of a key together are open to these.
        boolean byPartition = PartitionRouting.strategy(stages.table()) == PartitionSinkStrategy.HASH;
        DataStream<BucketedRow> routed =
                stages.routed(rows, byPartition ? BucketRouter.Goal.PARTITION : BucketRouter.Goal.KEY_HASH);
        return stages.writers(
                SinkStages.through(routed, new BucketPartitioner()), WriteLayout.POSTPONED, WriterInput.postponed());
    }

    static SingleOutputStreamOperator<Committable> writeBuckets(DataStream<RowData> rows, SinkStages stages) {
        StoreTable table = stages.table();
        PostponedBuckets buckets = PostponedBuckets.of(table, stages.plannedParallelism(rows));
        DataStream<BucketedRow> routed = stages.routed(rows, () -> BucketRouter.byPostponed(buckets, table));
        return stages.of(PostponedBuckets.forWriters(table))
                .writers(
                        SinkStages.through(routed, new BucketPartitioner()),
                        WriteLayout.POSTPONED_WITH_BUCKETS,
                        WriterInput.counted(buckets));
    }
}
