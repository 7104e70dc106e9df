/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.sink.assign.LentTypeInfo;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.CommittableTypeInfo;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.sink.write.WriterOperatorFactory;
import dev.sluice.flink.sink.write.WriterPlan;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;

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

    /** Gives an operator its name and uid, and the parallelism of the rows it is chained to. */
    <T> SingleOutputStreamOperator<T> chained(
            SingleOutputStreamOperator<T> operator, String noun, DataStream<?> input) {
        Transformation<?> rows = input.getTransformation();
        operator.getTransformation().setParallelism(rows.getParallelism(), rows.isParallelismConfigured());
        return named(operator, noun);
    }

    /** Gives an operator its name, such as {@code Writer : orders}, and its uid. */
    <T> SingleOutputStreamOperator<T> named(SingleOutputStreamOperator<T> operator, String noun) {
        uids.of(noun).ifPresent(operator::uid);
        return operator.name(noun + " : " + SinkTopology.shortName(table));
    }

    /** Writers, as many as the option says or else the job's parallelism. */
    <T> SingleOutputStreamOperator<Committable> writers(DataStream<T> rows, WriteLayout layout, WriterInput<T> input) {
        WriterPlan plan = new WriterPlan(table, layout, commitUser, overwrite, streaming);
        SingleOutputStreamOperator<Committable> writers = named(
                rows.transform("Writer", new CommittableTypeInfo(), new WriterOperatorFactory<>(plan, input)),
                "Writer");
        Integer parallelism = settings.parallelism();
        if (parallelism != null) {
            writers.setParallelism(parallelism);
        }
        return writers;
    }
}
