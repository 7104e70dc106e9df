/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import java.io.Serializable;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.table.data.RowData;

/** Makes the operators that assign buckets where they run. */
public final class AssignerOperatorFactory<I, O> extends AbstractStreamOperatorFactory<O>
        implements OneInputStreamOperatorFactory<I, O> {

    private static final long serialVersionUID = 1L;

    /** Makes one of them. */
    private interface Maker<O> extends Serializable {
        StreamOperator<O> make(StreamOperatorParameters<O> parameters, AssignerPlan plan);
    }

    private final AssignerPlan plan;
    private final Class<?> operator;
    private final Maker<O> maker;

    private AssignerOperatorFactory(AssignerPlan plan, Class<?> operator, Maker<O> maker) {
        this.plan = plan;
        this.operator = operator;
        this.maker = maker;
    }

    /** Rows with the hash of their key to rows with their bucket. */
    public static SingleOutputStreamOperator<BucketedRow> dynamicBuckets(
            DataStream<BucketedRow> rows, AssignerPlan plan) {
        return rows.transform(
                "Assigner",
                rows.getType(),
                new AssignerOperatorFactory<>(plan, DynamicBucketOperator.class, DynamicBucketOperator::new));
    }

    /** Rows, behind the places of the keys that the table has, by key. */
    public static DataStream<KeyOrRow> keysAndRows(SingleOutputStreamOperator<KeyOrRow> keysAndRows) {
        return new DataStream<>(
                keysAndRows.getExecutionEnvironment(),
                new PartitionTransformation<>(keysAndRows.getTransformation(), new GlobalKeyPartitioner()));
    }

    /** Rows to rows behind the places of the keys that the table has. */
    public static SingleOutputStreamOperator<KeyOrRow> keyIndex(DataStream<RowData> rows, AssignerPlan plan) {
        return rows.transform(
                "Key index",
                new KeyOrRowTypeInfo(rows.getType()),
                new AssignerOperatorFactory<>(plan, KeyIndexOperator.class, KeyIndexOperator::new));
    }

    /** Rows to rows of which those of one key are merged. */
    public static SingleOutputStreamOperator<RowData> localMerge(DataStream<RowData> rows, AssignerPlan plan) {
        return rows.transform(
                "Local merge",
                rows.getType(),
                new AssignerOperatorFactory<>(
                        plan,
                        LocalMergeOperator.class,
                        (parameters, merged) -> new LocalMergeOperator(parameters, merged.table())));
    }

    /** Rows behind the places of keys to rows with their bucket. */
    public static SingleOutputStreamOperator<BucketedRow> keyAssigner(
            DataStream<KeyOrRow> keysAndRows, BucketedRowTypeInfo type, AssignerPlan plan) {
        return keysAndRows.transform(
                "Assigner",
                type,
                new AssignerOperatorFactory<>(plan, KeyAssignerOperator.class, KeyAssignerOperator::new));
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<O>> T createStreamOperator(StreamOperatorParameters<O> parameters) {
        return (T) maker.make(parameters, plan);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return (Class<? extends StreamOperator>) operator;
    }
}
