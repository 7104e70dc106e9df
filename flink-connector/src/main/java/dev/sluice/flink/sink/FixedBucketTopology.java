/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.BucketPartitioner;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.assign.BucketedRowTypeInfo;
import dev.sluice.flink.sink.assign.FixedBucketAssigner;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

/** {@code rows, chained: bucket by hash → shuffle by partition and bucket → writers}. */
final class FixedBucketTopology {

    private FixedBucketTopology() {}

    static SingleOutputStreamOperator<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        SingleOutputStreamOperator<BucketedRow> assigned = stages.chained(
                SinkStages.lent(rows)
                        .map(new FixedBucketAssigner(stages.table()), new BucketedRowTypeInfo(rows.getType())),
                "Assigner",
                rows);
        return stages.writers(
                SinkStages.through(assigned, new BucketPartitioner()),
                WriteLayout.FIXED_BUCKETS,
                WriterInput.bucketed());
    }
}
