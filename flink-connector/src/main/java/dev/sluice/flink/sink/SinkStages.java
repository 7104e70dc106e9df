/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.sink.assign.AssignerOperatorFactory;
import dev.sluice.flink.sink.assign.AssignerPlan;
import dev.sluice.flink.sink.assign.BucketPartitioner;
import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.sink.assign.BucketedRowTypeInfo;
import dev.sluice.flink.sink.assign.LentTypeInfo;
import dev.sluice.flink.sink.assign.RoutingFunction;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.CommittableTypeInfo;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.sink.write.WriterOperatorFactory;
import dev.sluice.flink.sink.write.WriterPlan;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.DynamicBuckets;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import java.util.Objects;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.table.data.RowData;

/**
 * The stages that the pipelines of the bucket modes are made of.
 *
 * @param overwrite whether the rows replace existing ones
 * @param commitUser names the job's commits unless a restored state does
 */
record SinkStages(
        StoreTable table,
        WriteSettings settings,
        boolean streaming,
        boolean overwrite,
        String commitUser,
        OperatorUids uids) {

    /** Rows for an operator in the same chain, which only looks at them; in as many subtasks as they come from. */
    static <T> DataStream<T> lent(DataStream<T> rows) {
        PartitionTransformation<T> forward =
                new PartitionTransformation<>(rows.getTransformation(), new ForwardPartitioner<>());
        forward.setOutputType(new LentTypeInfo<>(rows.getType()));
        return new DataStream<>(rows.getExecutionEnvironment(), forward);
    }

    static <T> DataStream<T> through(DataStream<T> input, StreamPartitioner<T> partitioner) {
        return new DataStream<>(
                input.getExecutionEnvironment(), new PartitionTransformation<>(input.getTransformation(), partitioner));
    }

    /** Rows that know where they belong, found out in a chain with the operator that they come from. */
    DataStream<BucketedRow> routed(DataStream<RowData> rows, BucketRouter.Goal number) {
        StoreTable routedTable = table;
        return routed(rows, () -> BucketRouter.by(number, routedTable));
    }

    /** Rows of which those of one key are merged, in a chain with the operator that they come from. */
    DataStream<RowData> locallyMerged(DataStream<RowData> rows) {
        AssignerPlan plan = new AssignerPlan(table, commitUser, overwrite, streaming);
        return chained(AssignerOperatorFactory.localMerge(lent(rows), plan), "Local merge", rows);
    }

    /** As the other one, by a router of its own. */
    DataStream<BucketedRow> routed(DataStream<RowData> rows, BucketRouter.Opener router) {
        return chained(
                lent(rows).map(new RoutingFunction(router), new BucketedRowTypeInfo(rows.getType())), "Router", rows);
    }

    /** Gives an operator its name and uid, and the parallelism of the rows it is chained to. */
    <T> SingleOutputStreamOperator<T> chained(SingleOutputStreamOperator<T> operator, String noun, DataStream<?> rows) {
        Transformation<?> input = rows.getTransformation();
        operator.getTransformation().setParallelism(input.getParallelism(), input.isParallelismConfigured());
        return named(operator, noun);
    }

    /**
     * Rows to the writers of the buckets that an assigner gave them. They never become part of an unaligned checkpoint's
     * in-flight data: the assigner's choice must reach the index with the checkpoint that the assigner is restored from.
     */
    static DataStream<BucketedRow> byAssignedBucket(DataStream<BucketedRow> rows) {
        BucketPartitioner partitioner = new BucketPartitioner();
        partitioner.disableUnalignedCheckpoints();
        return through(rows, partitioner);
    }

    /**
     * As many assigners as the option says, or else as writers. Their number is part of how keys find their assigner, so
     * it is never left to the adaptive batch scheduler. Two attempts of one could assign differently.
     */
    SingleOutputStreamOperator<BucketedRow> assigners(
            SingleOutputStreamOperator<BucketedRow> operator, DataStream<RowData> rows) {
        operator.setParallelism(DynamicBuckets.assignerParallelism(table).orElseGet(() -> plannedParallelism(rows)));
        ((PhysicalTransformation<?>) operator.getTransformation()).setSupportsConcurrentExecutionAttempts(false);
        return named(operator, "Assigner");
    }

    /**
     * The parallelism for what must know it when the job is planned: the option's, the job's, or where the scheduler would
     * choose both the input's, or else what it would choose at most.
     */
    int plannedParallelism(DataStream<RowData> rows) {
        StreamExecutionEnvironment env = rows.getExecutionEnvironment();
        int parallelism = Objects.requireNonNullElseGet(settings.parallelism(), env::getParallelism);
        if (parallelism <= 0) {
            parallelism = rows.getParallelism();
        }
        return parallelism > 0
                ? parallelism
                : env.getConfiguration().get(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_MAX_PARALLELISM);
    }

    /** Gives an operator its name, such as {@code Writer : orders}, and its uid. */
    <T> SingleOutputStreamOperator<T> named(SingleOutputStreamOperator<T> operator, String noun) {
        uids.of(noun).ifPresent(operator::uid);
        return operator.name(noun + " : " + SinkTopology.shortName(table));
    }

    /** The stages of another view of the table. */
    SinkStages of(StoreTable other) {
        return new SinkStages(other, settings, streaming, overwrite, commitUser, uids);
    }

    /** Writers, as many as the option says or else the job's parallelism. */
    <T> SingleOutputStreamOperator<Committable> writers(DataStream<T> rows, WriteLayout layout, WriterInput<T> input) {
        WriterPlan plan = new WriterPlan(table, layout, commitUser, overwrite, streaming, settings);
        SingleOutputStreamOperator<Committable> writers = named(
                rows.transform("Writer", new CommittableTypeInfo(), new WriterOperatorFactory<>(plan, input)),
                "Writer");
        resources().giveToWriters(writers);
        Integer parallelism = settings.parallelism();
        if (parallelism != null) {
            writers.setParallelism(parallelism);
        }
        return writers;
    }

    SinkResources resources() {
        return new SinkResources(table.name(), settings.resources());
    }
}
