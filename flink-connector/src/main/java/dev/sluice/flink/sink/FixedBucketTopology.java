/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.BucketPartitioner;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

/** {@code rows, chained: bucket by hash → shuffle by partition and bucket → writers}. */
final class FixedBucketTopology {

    private FixedBucketTopology() {}

    static SingleOutputStreamOperator<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        DataStream<BucketedRow> routed = stages.routed(rows, BucketRouter.Goal.BUCKET);
        return stages.writers(
                SinkStages.through(routed, new BucketPartitioner()), WriteLayout.FIXED_BUCKETS, WriterInput.bucketed());
    }
}
