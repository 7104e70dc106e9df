/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import dev.sluice.flink.settings.CommitSettings;
import java.time.InstantSource;
import java.util.List;
import org.apache.paimon.operation.PartitionExpire;
import org.jspecify.annotations.Nullable;

/**
 * What follows commits without being part of them: expiry, tags of savepoints and marks of complete partitions, done in
 * order on a thread of its own. A failure is logged and never fails the job.
 */
final class CommitFollowUp implements AutoCloseable {

    private final TableUpkeep upkeep;
    private final @Nullable PartitionMarks marks;
    private final SavepointTags savepoints;

    private CommitFollowUp(TableUpkeep upkeep, @Nullable PartitionMarks marks, SavepointTags savepoints) {
        this.upkeep = upkeep;
        this.marks = marks;
        this.savepoints = savepoints;
    }

    static CommitFollowUp of(StoreTable table, String commitUser, CommitSettings settings) {
        return new CommitFollowUp(
                TableUpkeep.of(table, commitUser),
                PartitionMarks.of(table, settings.partitionDone(), InstantSource.system()),
                new SavepointTags(table, commitUser));
    }

    boolean wantsEmptySnapshots() {
        return upkeep.wantsEmptySnapshots();
    }

    @Nullable
    PartitionExpire partitionExpire() {
        return upkeep.partitionExpire();
    }

    void afterCommit(long checkpointId) {
        upkeep.afterCommit(checkpointId);
    }

    /** Remembers the partitions that a commit has added rows to. */
    void note(PendingCommit committed) {
        if (marks != null) {
            marks.note(committed);
        }
    }

    void checkpointCompleted(@Nullable Long watermark, boolean inputEnded) {
        if (marks != null) {
            upkeep.execute(() -> marks.mark(watermark, inputEnded), "Marking complete partitions");
        }
    }

    /** May be called by any thread. */
    List<String> unmarkedPartitions() {
        return marks == null ? List.of() : marks.waiting();
    }

    void restoreUnmarkedPartitions(List<String> partitions) {
        if (marks != null) {
            marks.restore(partitions);
        }
    }

    void tagSavepoint(long checkpointId) {
        upkeep.execute(() -> savepoints.create(checkpointId), "Tagging savepoint " + checkpointId);
    }

    void untagSavepoint(long checkpointId) {
        upkeep.execute(() -> savepoints.delete(checkpointId), "Removing the tag of savepoint " + checkpointId);
    }

    void awaitIdle() {
        upkeep.awaitIdle();
    }

    @Override
    public void close() throws Exception {
        try {
            upkeep.close();
        } finally {
            if (marks != null) {
                marks.close();
            }
        }
    }
}
