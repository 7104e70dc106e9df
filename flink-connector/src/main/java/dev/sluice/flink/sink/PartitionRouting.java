/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.assign.BucketPartitioner;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.PartitionSinkStrategy;

/** Sends rows to writers by their partition, so that each writes files of few partitions: {@code partition.sink-strategy}. */
final class PartitionRouting {

    private PartitionRouting() {}

    /** None for a table without partitions. */
    static PartitionSinkStrategy strategy(StoreTable table) {
        return table.partitionKeys().isEmpty()
                ? PartitionSinkStrategy.NONE
                : CoreOptions.fromMap(table.options()).partitionSinkStrategy();
    }

    /** With {@code HASH} a partition has one writer, else a busy one has several. */
    static DataStream<BucketedRow> route(DataStream<RowData> rows, SinkStages stages, PartitionSinkStrategy strategy) {
        StoreTable table = stages.table();
        int writers = strategy == PartitionSinkStrategy.PARTITION_DYNAMIC ? stages.plannedParallelism(rows) : 1;
        DataStream<BucketedRow> routed = strategy == PartitionSinkStrategy.HASH
                ? stages.routed(rows, BucketRouter.Goal.PARTITION)
                : stages.routed(rows, () -> BucketRouter.byTraffic(table, writers));
        return SinkStages.through(routed, new BucketPartitioner());
    }
}
