/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.compact;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.NewFilePlanner;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Finds small files among those that the writers of a batch job hand to the committer, for workers to merge. Runs alone, at
 * parallelism 1. All methods are called by the task's thread.
 */
final class NewFilesOperator extends AbstractStreamOperator<byte[]>
        implements OneInputStreamOperator<Committable, byte[]>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final transient NewFilePlanner planner;

    NewFilesOperator(StreamOperatorParameters<byte[]> parameters, StoreTable table) {
        super(parameters);
        this.planner = new NewFilePlanner(table);
    }

    @Override
    public void processElement(StreamRecord<Committable> element) throws Exception {
        send(planner.add(element.getValue().messages()));
    }

    @Override
    public void endInput() throws Exception {
        send(planner.finish());
    }

    private void send(List<byte[]> tasks) {
        for (byte[] task : tasks) {
            output.collect(new StreamRecord<>(task));
        }
    }
}
