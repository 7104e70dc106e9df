/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.CommitListeners;
import dev.sluice.flink.store.Committer;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a committer needs to know; travels from the planner to the committing task.
 *
 * @param table for messages and thread names
 * @param newCommitUser names the commits unless a restored state does
 * @param opener opens the committer where it runs
 * @param listeners opens what is told of commits
 * @param streaming whether commits follow checkpoints rather than the end of the input
 * @param savepointsTagged whether the snapshot of a savepoint gets a tag
 * @param endInputWatermark watermark of the last snapshot when the input ends in milliseconds, or null for none
 */
public record CommitterPlan(
        String table,
        String newCommitUser,
        Committer.Opener opener,
        CommitListeners.Opener listeners,
        boolean streaming,
        boolean savepointsTagged,
        @Nullable Long endInputWatermark)
        implements Serializable {}
