/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.compact;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operators that merge small files. */
public final class CompactionWorkerFactory extends AbstractStreamOperatorFactory<Committable>
        implements OneInputStreamOperatorFactory<byte[], Committable> {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final String commitUser;
    private final boolean streaming;

    /**
     * @param commitUser may differ from a restored committer's: it names no files
     * @param streaming whether commits follow checkpoints rather than the end of the input
     */
    public CompactionWorkerFactory(StoreTable table, String commitUser, boolean streaming) {
        this.table = table;
        this.commitUser = commitUser;
        this.streaming = streaming;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <O extends StreamOperator<Committable>> O createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        return (O) new CompactionWorker(parameters, table, commitUser, streaming);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return CompactionWorker.class;
    }
}
