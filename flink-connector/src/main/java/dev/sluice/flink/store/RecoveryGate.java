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
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private enum Found {
        NOTHING,
        ALL_BUT_COMPACTION,
        ALL
    }

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
        long pause = SHORTEST_PAUSE.toMillis();
        while (true) {
            Found found = look(table, commitUser, checkpointId, compacted);
            long waited = System.nanoTime() - started;
            // A compaction that lost against another writer's is dropped, so its snapshot may never come.
            if (found == Found.ALL
                    || (found == Found.ALL_BUT_COMPACTION && waited > LONGEST_WAIT_FOR_COMPACTION.toNanos())) {
                return;
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
            Thread.sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE.toMillis());
        }
    }

    /**
     * Whether the snapshots of a checkpoint are in the table. A writer that has seen them need not find them again when
     * it is restored, by when they may have expired. Looks once; blocks on storage.
     */
    public static boolean isCommitted(StoreTable table, String commitUser, long checkpointId, boolean compacted)
            throws WriteFailedException {
        return look(table, commitUser, checkpointId, compacted) == Found.ALL;
    }

    private static Found look(StoreTable table, String commitUser, long checkpointId, boolean compacted)
            throws WriteFailedException {
        Optional<Snapshot> latest;
        try {
            // Where the writer will look for its bucket's files, too; a catalog's server is not asked by every writer.
            latest = table.fileStore().snapshotManager().latestSnapshotOfUserFromFilesystem(commitUser);
        } catch (RuntimeException e) {
            throw WriteFailedException.during(
                    "Looking for the snapshot of checkpoint " + checkpointId,
                    table,
                    e,
                    "Check that every task manager can read under the table's path, then restart the job.");
        }
        if (latest.isEmpty() || latest.get().commitIdentifier() < checkpointId) {
            return Found.NOTHING;
        }
        boolean all = !compacted
                || latest.get().commitIdentifier() > checkpointId
                || latest.get().commitKind() == Snapshot.CommitKind.COMPACT;
        return all ? Found.ALL : Found.ALL_BUT_COMPACTION;
    }
}
