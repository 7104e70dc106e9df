/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.PendingCommit;
import java.util.List;
import org.apache.paimon.table.sink.CommitMessage;

/**
 * What one writer, or one worker that merges files beside the writers, adds to one commit.
 *
 * @param checkpointId the checkpoint that covers the files; after a writer's last row the one that comes next, in a batch
 *     job {@link PendingCommit#END_OF_BATCH}
 * @param writer index of the writer's subtask
 * @param writers how many writer subtasks there are; of a worker how many workers
 * @param last whether the writer has come to the end of its input; sent even if it has no files left; never by a
 *     worker
 * @param messages the files
 */
public record Committable(long checkpointId, int writer, int writers, boolean last, List<CommitMessage> messages) {

    public Committable {
        messages = List.copyOf(messages);
    }
}
