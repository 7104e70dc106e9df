/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.WriteFailedException;
import java.util.List;
import org.apache.paimon.table.sink.CommitMessage;

/** What a writer subtask writes with. All methods are called by the task's thread. */
interface Writers<T> extends AutoCloseable {

    /** @param value is not kept after the call */
    void write(T value) throws WriteFailedException, InterruptedException;

    /** Has a bucket fully compacted when that is due next. Called before any row is written. */
    void oweFullCompaction(Slice slice);

    /**
     * Flushes and hands out the files written since the last call.
     *
     * @param last whether no row follows
     * @param checkpointId the checkpoint that will commit the files
     * @return only messages that carry files
     */
    List<CommitMessage> prepareCommit(boolean last, long checkpointId)
            throws WriteFailedException, InterruptedException;
}
