/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.CommittableTypeInfo;
import dev.sluice.flink.sink.compact.CompactionPlannerFactory;
import dev.sluice.flink.sink.compact.CompactionWorkerFactory;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.NewFilePlanner;
import dev.sluice.flink.store.SmallFilePlanner;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.runtime.partitioner.GlobalPartitioner;
import org.apache.flink.streaming.runtime.partitioner.RebalancePartitioner;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.CoreOptions.PartitionSinkStrategy;

/**
 * {@code rows, chained: writers}; any writer takes any row, unless they are to be sent by their partition. Beside them {@code planner of compactions → workers}, whose
 * results go to the same committer: in a streaming job for all small files of the table, in a batch job for those that it
 * has written, if that is asked for.
 */
final class AppendTopology {

    private AppendTopology() {}

    static DataStream<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        SingleOutputStreamOperator<Committable> writers = writers(rows, stages);
        boolean merged = stages.streaming()
                ? SmallFilePlanner.wanted(stages.table())
                : stages.settings().writer().precommitCompact() && NewFilePlanner.possible(stages.table());
        return merged ? writers.union(compactions(writers, stages)) : writers;
    }

    /**
     * Neither plans nor results become part of an unaligned checkpoint's in-flight data: plans are made anew after a
     * failure, and results must reach the committer ahead of their checkpoint's barrier.
     */
    private static DataStream<Committable> compactions(
            SingleOutputStreamOperator<Committable> writers, SinkStages stages) {
        StreamPartitioner<Committable> toTheOne = new GlobalPartitioner<>();
        toTheOne.disableUnalignedCheckpoints();
        SingleOutputStreamOperator<byte[]> planner = stages.named(
                SinkStages.through(writers, toTheOne)
                        .transform(
                                "Compact Coordinator",
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                                new CompactionPlannerFactory(stages.table(), stages.streaming()))
                        .forceNonParallel(),
                "Compact Coordinator");
        stages.resources().shareSlotsOfWriters(planner);
        StreamPartitioner<byte[]> inTurn = new RebalancePartitioner<>();
        inTurn.disableUnalignedCheckpoints();
        SingleOutputStreamOperator<Committable> workers = stages.named(
                SinkStages.through(planner, inTurn)
                        .transform(
                                "Compact Worker",
                                new CommittableTypeInfo(),
                                new CompactionWorkerFactory(stages.table(), stages.commitUser(), stages.streaming())),
                "Compact Worker");
        Integer chosen = stages.settings().writer().compactionParallelism();
        int parallelism = chosen == null ? writers.getParallelism() : chosen;
        if (parallelism > 0) {
            workers.setParallelism(parallelism);
        }
        stages.resources().shareSlotsOfWriters(workers);
        return workers;
    }

    private static SingleOutputStreamOperator<Committable> writers(DataStream<RowData> rows, SinkStages stages) {
        if (Clustering.wanted(stages)) {
            int ranges = rangesOf(rows, stages);
            SingleOutputStreamOperator<Committable> writers =
                    stages.writers(Clustering.cluster(rows, stages, ranges), WriteLayout.UNAWARE, WriterInput.plain());
            writers.setParallelism(ranges);
            return writers;
        }
        PartitionSinkStrategy strategy = PartitionRouting.strategy(stages.table());
        if (strategy != PartitionSinkStrategy.NONE) {
            return stages.writers(
                    PartitionRouting.route(rows, stages, strategy), WriteLayout.UNAWARE, WriterInput.partitioned());
        }
        if (stages.settings().parallelism() != null) {
            return stages.writers(rows, WriteLayout.UNAWARE, WriterInput.plain());
        }
        // As the input's, so that rows need no shuffle; and a writer keeps no row, so that they need no copy.
        SingleOutputStreamOperator<Committable> writers =
                stages.writers(SinkStages.lent(rows), WriteLayout.UNAWARE, WriterInput.plain());
        Transformation<?> input = rows.getTransformation();
        writers.getTransformation().setParallelism(input.getParallelism(), input.isParallelismConfigured());
        return writers;
    }

    private static int rangesOf(DataStream<RowData> rows, SinkStages stages) {
        Integer chosen = stages.settings().parallelism();
        return chosen == null && rows.getParallelism() > 0 ? rows.getParallelism() : stages.plannedParallelism(rows);
    }
}
