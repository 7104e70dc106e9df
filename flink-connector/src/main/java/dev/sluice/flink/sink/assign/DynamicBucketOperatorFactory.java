/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes assigners of dynamic buckets where they run. */
public final class DynamicBucketOperatorFactory extends AbstractStreamOperatorFactory<BucketedRow>
        implements OneInputStreamOperatorFactory<BucketedRow, BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final AssignerPlan plan;

    public DynamicBucketOperatorFactory(AssignerPlan plan) {
        this.plan = plan;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <O extends StreamOperator<BucketedRow>> O createStreamOperator(
            StreamOperatorParameters<BucketedRow> parameters) {
        return (O) new DynamicBucketOperator(parameters, plan);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return DynamicBucketOperator.class;
    }
}
