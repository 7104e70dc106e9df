/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.sink.commit.Committable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes writers where they run. */
public final class WriterOperatorFactory<T> extends AbstractStreamOperatorFactory<Committable>
        implements OneInputStreamOperatorFactory<T, Committable> {

    private static final long serialVersionUID = 1L;

    private final WriterPlan plan;
    private final WriterInput<T> input;

    public WriterOperatorFactory(WriterPlan plan, WriterInput<T> input) {
        this.plan = plan;
        this.input = input;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <O extends StreamOperator<Committable>> O createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        return (O) new WriterOperator<>(parameters, plan, input);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return WriterOperator.class;
    }
}
