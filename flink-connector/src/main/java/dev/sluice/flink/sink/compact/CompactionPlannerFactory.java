/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.compact;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operator that finds small files to merge; what it sends is for {@link CompactionWorkerFactory}'s. */
public final class CompactionPlannerFactory extends AbstractStreamOperatorFactory<byte[]>
        implements OneInputStreamOperatorFactory<Committable, byte[]> {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final boolean streaming;

    /** @param streaming whether files are merged after they are committed rather than before */
    public CompactionPlannerFactory(StoreTable table, boolean streaming) {
        this.table = table;
        this.streaming = streaming;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <O extends StreamOperator<byte[]>> O createStreamOperator(StreamOperatorParameters<byte[]> parameters) {
        return (O) (streaming ? new CompactionPlanner(parameters, table) : new NewFilesOperator(parameters, table));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return streaming ? CompactionPlanner.class : NewFilesOperator.class;
    }
}
