/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.Committer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the committer where it runs. */
public final class CommitterOperatorFactory extends AbstractStreamOperatorFactory<Void>
        implements OneInputStreamOperatorFactory<Committable, Void> {

    private static final long serialVersionUID = 1L;

    private final String tableName;
    private final String newCommitUser;
    private final Committer.Opener opener;
    private final boolean streaming;

    /**
     * @param tableName for messages and thread names
     * @param newCommitUser names the commits unless a restored state does
     * @param streaming whether commits follow checkpoints rather than the end of the input
     */
    public CommitterOperatorFactory(
            String tableName, String newCommitUser, Committer.Opener opener, boolean streaming) {
        this.tableName = tableName;
        this.newCommitUser = newCommitUser;
        this.opener = opener;
        this.streaming = streaming;
        setChainingStrategy(ChainingStrategy.HEAD);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Void>> T createStreamOperator(StreamOperatorParameters<Void> parameters) {
        return (T) new CommitterOperator(parameters, tableName, newCommitUser, opener, streaming);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return CommitterOperator.class;
    }
}
