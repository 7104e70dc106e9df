/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.time.Duration;
import java.util.Optional;
import org.apache.paimon.Snapshot;

/**
 * Holds a restored writer back until its job's committer has made the snapshots that the restored checkpoint still
 * lacked. A writer that looked at a bucket before would number its rows from a state that is about to be outdated.
 */
public final class RecoveryGate {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Duration LONGEST_WAIT_FOR_COMPACTION = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private RecoveryGate() {}

    /**
     * Blocks the calling thread, the writer's, while it is being restored.
     *
     * @param checkpointId the newest checkpoint that any writer of the job had files for
     * @param compacted whether those files include results of compactions, which are committed second
     */
    public static void await(StoreTable table, String commitUser, long checkpointId, boolean compacted)
            throws WriteFailedException, InterruptedException {
        long started = System.nanoTime();
        while (true) {
            Optional<Snapshot> latest = table.fileStore().snapshotManager().latestSnapshotOfUser(commitUser);
            long waited = System.nanoTime() - started;
            if (latest.isPresent() && latest.get().commitIdentifier() >= checkpointId) {
                boolean all = !compacted
                        || latest.get().commitIdentifier() > checkpointId
                        || latest.get().commitKind() == Snapshot.CommitKind.COMPACT;
                // A compaction that lost against another writer's is dropped, so its snapshot may never come.
                if (all || waited > LONGEST_WAIT_FOR_COMPACTION.toNanos()) {
                    return;
                }
            }
            if (waited > LONGEST_WAIT.toNanos()) {
                throw WriteFailedException.during(
                        "Waiting for the committer to recover checkpoint " + checkpointId,
                        table,
                        new IllegalStateException("no snapshot of commit user " + commitUser
                                + " with that checkpoint within " + LONGEST_WAIT),
                        "See the log of the task 'Committer : ...'. If the table was rolled back or its snapshots"
                                + " expired, start the job without state and load the missing rows again.");
            }
            Thread.sleep(BETWEEN_LOOKS.toMillis());
        }
    }
}
