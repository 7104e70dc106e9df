/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the committer where it runs. */
public final class CommitterOperatorFactory extends AbstractStreamOperatorFactory<Void>
        implements OneInputStreamOperatorFactory<Committable, Void> {

    private static final long serialVersionUID = 1L;

    private final CommitterPlan plan;

    public CommitterOperatorFactory(CommitterPlan plan) {
        this.plan = plan;
        setChainingStrategy(ChainingStrategy.HEAD);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Void>> T createStreamOperator(StreamOperatorParameters<Void> parameters) {
        return (T) new CommitterOperator(parameters, plan);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return CommitterOperator.class;
    }
}
