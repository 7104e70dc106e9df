/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * What one checkpoint adds to a table.
 *
 * @param checkpointId identifies the commit among those of its commit user; {@link #END_OF_BATCH} in a batch job
 * @param watermark the event time in milliseconds that the rows are complete up to, or null if none is known
 * @param messages the files of all writers
 */
public record PendingCommit(long checkpointId, @Nullable Long watermark, List<CommitMessage> messages) {

    /** The one commit of a batch job. */
    public static final long END_OF_BATCH = Long.MAX_VALUE;

    public PendingCommit {
        messages = List.copyOf(messages);
    }
}
