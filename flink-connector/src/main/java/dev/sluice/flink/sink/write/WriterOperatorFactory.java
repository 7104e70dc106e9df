/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.sink.commit.Committable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.table.data.RowData;

/** Makes writers where they run. */
public final class WriterOperatorFactory extends AbstractStreamOperatorFactory<Committable>
        implements OneInputStreamOperatorFactory<RowData, Committable> {

    private static final long serialVersionUID = 1L;

    private final WriterPlan plan;

    public WriterOperatorFactory(WriterPlan plan) {
        this.plan = plan;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Committable>> T createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        return (T) new WriterOperator(parameters, plan);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return WriterOperator.class;
    }
}
