/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.Locale;

/** Says what happened to a commit, and what to do. */
record CommitFailures(StoreTable table) {

    static final String COMMIT_ADVICE = "Flink restarts the job from its last checkpoint if a restart strategy is"
            + " set, and then commits exactly what is missing.";
    static final String BATCH_ADVICE = "Remove the cause and run the statement again.";
    static final String RECOVER_ADVICE = "If the checkpoint or savepoint is older than the table's retained"
            + " snapshots, or the table was rolled back, start from a newer one, or start without state and load the"
            + " missing rows again.";
    private static final String CONFLICT_ADVICE = "If several jobs, or several INSERTs of a statement set, write this"
            + " table at once, set 'write-only' = 'true' and run one compaction job beside them (CALL sys.compact in"
            + " streaming mode), which spares the restart. After it a lost compaction is left out, and no row is. ";
    static final String BUCKET_ADVICE = "The job cannot go on: set 'bucket' back to what the stored files have,"
            + " or stop the job, rewrite the table or partition with INSERT OVERWRITE in batch mode, and start it anew.";

    /**
     * @param doing the step, as in "Committing checkpoint 5"
     * @param advice for a reason of which no more is known
     */
    WriteFailedException during(String doing, RuntimeException e, String advice) {
        if (concernsBuckets(e)) {
            return WriteFailedException.during(doing, table, e, BUCKET_ADVICE);
        }
        if (isConflict(e)) {
            String reason = "another writer has compacted, replaced or removed the same files";
            return WriteFailedException.because(reason, doing, table, e, CONFLICT_ADVICE + advice);
        }
        return WriteFailedException.during(doing, table, e, advice);
    }

    /** The engine has no exception of its own for it. */
    static boolean isConflict(RuntimeException e) {
        return text(e).contains("conflict") && !concernsBuckets(e);
    }

    static boolean concernsBuckets(Exception e) {
        return text(e).contains("bucket num") || text(e).contains("total buckets of partition");
    }

    private static String text(Exception e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    }

    static String describe(List<PendingCommit> pending) {
        long first = pending.get(0).checkpointId();
        long last = pending.get(pending.size() - 1).checkpointId();
        if (last == PendingCommit.END_OF_BATCH) {
            return "the result of the batch job";
        }
        return first == last ? "checkpoint " + last : "checkpoints " + first + " to " + last;
    }
}
