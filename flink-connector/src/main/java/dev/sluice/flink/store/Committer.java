/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes snapshots of pending commits. Unless they say otherwise, methods are called by one thread and may block
 * on storage. */
public interface Committer extends AutoCloseable {

    /** Opens a committer where it runs; travels from the planner to the committing task. */
    @FunctionalInterface
    interface Opener extends Serializable {
        Committer open(String commitUser);
    }

    /**
     * Whether the table wants a snapshot for a checkpoint without files too.
     *
     * @return constant for the committer's life
     */
    boolean wantsEmptySnapshots();

    /**
     * Commits in the given order. If it throws, a first part may be committed: {@link #recover} finds out.
     *
     * @param pending in ascending order of checkpoint ids, none of them committed before
     */
    CommitSummary commit(List<PendingCommit> pending) throws WriteFailedException;

    /**
     * Commits what is missing of the given commits and leaves alone what is there.
     *
     * @param checkpointId the checkpoint that the job goes on from, or {@link PendingCommit#END_OF_BATCH}
     * @param pending in ascending order of checkpoint ids, none above it
     * @return no snapshots if nothing was missing
     * @throws WriteFailedException also if the table holds later commits of this user: rows after the checkpoint would
     *     be written again, and the commits of the checkpoints to come would be taken for done
     */
    CommitSummary recover(long checkpointId, List<PendingCommit> pending) throws WriteFailedException;

    /**
     * What follows a completed checkpoint beside its commit, such as marking partitions as complete. Returns soon and never
     * fails the job.
     *
     * @param watermark of the input in milliseconds, or null if there is none
     * @param inputEnded whether this was the last commit
     */
    void checkpointCompleted(@Nullable Long watermark, boolean inputEnded);

    /**
     * Partitions with new rows that are not marked as complete yet: part of the job's state. May be called by any thread.
     */
    List<String> unmarkedPartitions();

    /** Takes up what {@link #unmarkedPartitions} gave in an earlier run; called before {@link #recover}. */
    void restoreUnmarkedPartitions(List<String> partitions);

    /** Tags the job's newest snapshot up to a savepoint, beside the commits; a failure is only logged. */
    void tagSavepoint(long checkpointId);

    /** Removes the tag of a savepoint that came to nothing, if it has one. */
    void untagSavepoint(long checkpointId);

    /** Lets work that follows a commit, such as expiring snapshots, come to its end; returns early on interruption. */
    void finish();

    @Override
    void close() throws Exception;
}
