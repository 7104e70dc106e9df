/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import dev.sluice.flink.settings.CommitSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ExpireExecutionMode;
import org.apache.paimon.Snapshot;
import org.apache.paimon.operation.FileStoreCommit;
import org.apache.paimon.operation.PartitionExpire;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits to a table through the engine's commit protocol; what follows runs beside it in {@link CommitFollowUp}. A compaction in
 * conflict with another writer's fails the commit of a table with buckets, after its rows' part, which has no conflicts; the
 * job's restart leaves it out.
 */
public final class SnapshotCommitter implements Committer {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCommitter.class);
    private static final CommitSummary DROPPED = new CommitSummary(-1, 0, 0, 1, 0, 0);

    private final StoreTable table;
    private final String commitUser;
    private final TableCommitImpl commit;
    private final CommitFollowUp followUp;
    private final CommitFailures failures;
    private final SchemaGuard guard;
    private final CommitReport report;
    private long lastSnapshotId = -1;

    private SnapshotCommitter(StoreTable table, String commitUser, TableCommitImpl commit, CommitFollowUp followUp) {
        this.table = table;
        this.commitUser = commitUser;
        this.commit = commit;
        this.followUp = followUp;
        this.failures = new CommitFailures(table);
        this.guard = new SchemaGuard(table, new int[0]);
        this.report = new CommitReport(table, commit);
    }

    /** A name for a new job's commits that no other job has, with the table's {@code commit.user-prefix} if it is set. */
    public static String newCommitUser(StoreTable table) {
        return table.fileStore().coreOptions().createCommitUser();
    }

    /**
     * @param commitUser the same over all restarts of a job; two jobs have two
     * @param overwrite null to add to the table; otherwise the partition to replace (an empty map: all of the table, or
     *     the partitions that have new rows if the table overwrites dynamically)
     */
    public static SnapshotCommitter open(
            StoreTable table, String commitUser, @Nullable Map<String, String> overwrite, CommitSettings settings) {
        FileStoreTable store = table.fileStore();
        if (overwrite != null && overwrite.keySet().containsAll(store.partitionKeys())) {
            // All partition columns are given, so nothing is dynamic: the partition is replaced by no rows too.
            store = store.copyWithoutTimeTravel(Map.of(CoreOptions.DYNAMIC_PARTITION_OVERWRITE.key(), "false"));
        }
        CoreOptions options = store.coreOptions();
        CommitFollowUp followUp = CommitFollowUp.of(table, commitUser, settings);
        FileStoreCommit fileCommit = store.store().newCommit(commitUser, store);
        PartitionExpire partitionExpire = followUp.partitionExpire();
        if (partitionExpire != null) {
            fileCommit.withPartitionExpire(partitionExpire);
        }
        // No upkeep in the engine's own commit: there a failed expiry fails the commit that follows it.
        TableCommitImpl commit = new TableCommitImpl(
                fileCommit,
                null,
                null,
                null,
                null,
                store.consumerManager(),
                ExpireExecutionMode.SYNC,
                store.name(),
                options.forceCreatingSnapshot(),
                options.fileOperationThreadNum());
        if (overwrite != null) {
            commit.withOverwrite(overwrite);
        } else if (PostponedBuckets.writtenInBatch(table)) {
            // Two jobs that begin one partition may have given it different numbers of buckets.
            commit.appendCommitCheckConflict(true);
        }
        SnapshotCommitter committer = new SnapshotCommitter(table, commitUser, commit, followUp);
        commit.ignoreEmptyCommit(!committer.wantsEmptySnapshots());
        return committer;
    }

    @Override
    public boolean wantsEmptySnapshots() {
        return commit.forceCreatingSnapshot() || followUp.wantsEmptySnapshots();
    }

    @Override
    public CommitSummary commit(List<PendingCommit> pending) throws WriteFailedException {
        if (pending.isEmpty()) {
            return CommitSummary.NOTHING;
        }
        refuseReplacedTable(pending);
        CommitSummary summary = CommitSummary.NOTHING;
        for (PendingCommit one : pending) {
            long started = System.nanoTime();
            noteRollback();
            wantSnapshotOf(one);
            try {
                commit.commitMultiple(CommitParts.manifests(List.of(one)), false);
            } catch (RuntimeException e) {
                if (!madeWhole(one, e)) {
                    summary = summary.and(withoutUselessCompaction(one, e));
                    followUp.note(one);
                    continue;
                }
                report.callbackFailed(one, e);
            }
            CommitSummary done = summaryOf(one);
            report.made(one, done, System.nanoTime() - started);
            followUp.note(one);
            summary = summary.and(done);
        }
        followUp.afterCommit(pending.get(pending.size() - 1).checkpointId());
        return summary;
    }

    @Override
    public CommitSummary recover(long checkpointId, List<PendingCommit> pending) throws WriteFailedException {
        refuseRewoundJob(checkpointId);
        if (pending.isEmpty()) {
            return CommitSummary.NOTHING;
        }
        refuseReplacedTable(pending);
        try {
            CommitSummary summary = commitMissingCompaction(pending);
            for (PendingCommit one : pending) {
                summary = summary.and(commitIfMissing(one));
                followUp.note(one);
            }
            if (summary.snapshots() > 0) {
                followUp.afterCommit(pending.get(pending.size() - 1).checkpointId());
            } else {
                LOG.info("Nothing is missing of {} in table {}", CommitFailures.describe(pending), table);
            }
            return summary;
        } catch (RuntimeException e) {
            throw checkpointId == PendingCommit.END_OF_BATCH
                    ? failures.during("Committing " + CommitFailures.describe(pending), e, CommitFailures.BATCH_ADVICE)
                    : failures.during(
                            "Committing what is missing of " + CommitFailures.describe(pending),
                            e,
                            CommitFailures.RECOVER_ADVICE);
        }
    }

    /** A streaming job's commit without files is there for the sake of its snapshot. */
    private void wantSnapshotOf(PendingCommit one) {
        boolean wanted = one.messages().isEmpty() && one.checkpointId() != PendingCommit.END_OF_BATCH;
        commit.ignoreEmptyCommit(!wanted && !wantsEmptySnapshots());
    }

    /** Of a commit that was made. */
    private CommitSummary summaryOf(PendingCommit one) {
        CommitSummary made = report.summary(one);
        lastSnapshotId = Math.max(lastSnapshotId, made.snapshotId());
        return made;
    }

    /** The snapshots of the commit are there, so what failed came after them. */
    private boolean isWhole(PendingCommit one, RuntimeException failure) {
        try {
            Optional<Snapshot> latest = table.fileStore().snapshotManager().latestSnapshotOfUser(commitUser);
            if (latest.isEmpty() || latest.get().commitIdentifier() != one.checkpointId()) {
                return latest.isPresent() && latest.get().commitIdentifier() > one.checkpointId();
            }
            return CommitParts.compactions(one.messages()).isEmpty()
                    || latest.get().commitKind() == Snapshot.CommitKind.COMPACT;
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** As {@link #isWhole}; a callback that fails after the rows' snapshot keeps the compaction's from being made. */
    private boolean madeWhole(PendingCommit one, RuntimeException failure) {
        if (isWhole(one, failure)) {
            return true;
        }
        List<CommitMessage> compactions = CommitParts.compactions(one.messages());
        if (CommitFailures.isConflict(failure)
                || compactions.isEmpty()
                || !isWhole(new PendingCommit(one.checkpointId(), one.watermark(), List.of()), failure)) {
            return false;
        }
        try {
            commit.commitMultiple(
                    CommitParts.manifests(List.of(new PendingCommit(one.checkpointId(), one.watermark(), compactions))),
                    false);
            return true;
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return isWhole(one, failure);
        }
    }

    /** Whoever rolls a table back wants the rows gone, and those to come are welcome. */
    private void noteRollback() {
        Long latest = table.fileStore().snapshotManager().latestSnapshotId();
        if (lastSnapshotId > 0 && (latest == null || latest < lastSnapshotId)) {
            LOG.warn(
                    "Table {} was rolled back to snapshot {}, before this job's snapshot {}. The job goes on with the rows"
                            + " to come; to write the removed ones again, start it anew without state",
                    table,
                    latest,
                    lastSnapshotId);
            lastSnapshotId = -1;
        }
    }

    /** Files of another table, of the same name but perhaps with other columns, would make that one unreadable. */
    private void refuseReplacedTable(List<PendingCommit> pending) throws WriteFailedException {
        String doing = "Committing " + CommitFailures.describe(pending);
        String lost;
        try {
            lost = guard.lost();
        } catch (RuntimeException e) {
            throw WriteFailedException.during(doing, table, e, CommitFailures.COMMIT_ADVICE);
        }
        if (lost != null) {
            throw WriteFailedException.because(
                    "the table " + lost + " since the job was planned",
                    doing,
                    table,
                    null,
                    "Start the job again, without state, so that it is planned for the table as it is now.");
        }
    }

    private void refuseRewoundJob(long checkpointId) throws WriteFailedException {
        Optional<Snapshot> latest = table.fileStore().snapshotManager().latestSnapshotOfUser(commitUser);
        if (latest.isPresent() && latest.get().commitIdentifier() > checkpointId) {
            throw WriteFailedException.during(
                    "Going on from checkpoint " + checkpointId,
                    table,
                    new IllegalStateException("the table already holds this job's commits up to checkpoint "
                            + latest.get().commitIdentifier() + " (snapshot "
                            + latest.get().id() + ")"),
                    "Restore the job's newest checkpoint or savepoint; or roll the table back to the job's last snapshot"
                            + " of checkpoint " + checkpointId + " or before (CALL sys.rollback_to) and restore this"
                            + " one; or start without state.");
        }
    }

    /**
     * The engine makes up to two snapshots of one commit: new files first, compaction results second. After a failure
     * between the two its own filter takes the commit for done; this commits the second half.
     */
    private CommitSummary commitMissingCompaction(List<PendingCommit> pending) {
        Optional<Snapshot> latest = table.fileStore().snapshotManager().latestSnapshotOfUser(commitUser);
        if (latest.isEmpty() || latest.get().commitKind() == Snapshot.CommitKind.COMPACT) {
            return CommitSummary.NOTHING;
        }
        for (PendingCommit one : pending) {
            List<CommitMessage> compactions = CommitParts.compactions(one.messages());
            if (one.checkpointId() == latest.get().commitIdentifier() && !compactions.isEmpty()) {
                return tryCommit(new PendingCommit(one.checkpointId(), one.watermark(), compactions));
            }
        }
        return CommitSummary.NOTHING;
    }

    /** In a batch job files may have been merged ahead of the commit. */
    private CommitSummary commitIfMissing(PendingCommit written) {
        if (written.checkpointId() != PendingCommit.END_OF_BATCH
                || table.fileStore().bucketMode() != BucketMode.BUCKET_UNAWARE) {
            return commitAllIfMissing(written);
        }
        MergedNewFiles merged = MergedNewFiles.of(table.fileStore(), written);
        CommitSummary done = commitAllIfMissing(merged.commit());
        if (done.snapshots() > 0) {
            // Of a commit that was there before nothing is known: another attempt may have merged other files.
            merged.replaced().forEach(table.fileStore().fileIO()::deleteQuietly);
        }
        return done;
    }

    private CommitSummary commitAllIfMissing(PendingCommit one) {
        long started = System.nanoTime();
        wantSnapshotOf(one);
        try {
            if (commit.filterAndCommitMultiple(CommitParts.manifests(List.of(one)), true) == 0) {
                return CommitSummary.NOTHING;
            }
        } catch (RuntimeException e) {
            if (!madeWhole(one, e)) {
                return withoutCompaction(one, e);
            }
            report.callbackFailed(one, e);
        }
        CommitSummary done = summaryOf(one);
        report.made(one, done, System.nanoTime() - started);
        return done;
    }

    /**
     * A compaction that lost to another writer's is dropped without ado where no writer counts on it, which is without
     * buckets. A writer of buckets does: in its memory the merged file has taken the place of those it was made of, and
     * both its flushes and its next merges, perhaps those of checkpoints on their way already, build on that. Only
     * writers opened anew see the table as it is, and a restart is what opens them; the recovery drops the compaction.
     */
    private CommitSummary withoutUselessCompaction(PendingCommit one, RuntimeException e) throws WriteFailedException {
        try {
            if (table.fileStore().bucketMode() == BucketMode.BUCKET_UNAWARE) {
                return withoutCompaction(one, e);
            }
        } catch (RuntimeException again) {
            if (again != e) {
                e.addSuppressed(again);
            }
        }
        throw failures.during("Committing " + CommitFailures.describe(List.of(one)), e, CommitFailures.COMMIT_ADVICE);
    }

    private CommitSummary withoutCompaction(PendingCommit one, RuntimeException e) {
        boolean rowsAreThere = table.fileStore()
                .snapshotManager()
                .latestSnapshotOfUser(commitUser)
                .filter(latest -> latest.commitIdentifier() == one.checkpointId())
                .isPresent();
        if (!CommitFailures.isConflict(e) || !(rowsAreThere || CommitParts.onlyCompacts(one))) {
            throw e;
        }
        report.dropped(one, e);
        return DROPPED.and(rowsAreThere ? summaryOf(one) : CommitSummary.NOTHING);
    }

    private CommitSummary tryCommit(PendingCommit compaction) {
        try {
            commit.commitMultiple(CommitParts.manifests(List.of(compaction)), true);
            return summaryOf(compaction);
        } catch (RuntimeException e) {
            if (isWhole(compaction, e)) {
                report.callbackFailed(compaction, e);
                return summaryOf(compaction);
            }
            if (!CommitFailures.isConflict(e)) {
                throw e;
            }
            report.dropped(compaction, e);
            return DROPPED;
        }
    }

    @Override
    public void checkpointCompleted(@Nullable Long watermark, boolean inputEnded) {
        followUp.checkpointCompleted(watermark, inputEnded);
    }

    @Override
    public List<String> unmarkedPartitions() {
        return followUp.unmarkedPartitions();
    }

    @Override
    public void restoreUnmarkedPartitions(List<String> partitions) {
        followUp.restoreUnmarkedPartitions(partitions);
    }

    @Override
    public void tagSavepoint(long checkpointId) {
        followUp.tagSavepoint(checkpointId);
    }

    @Override
    public void untagSavepoint(long checkpointId) {
        followUp.untagSavepoint(checkpointId);
    }

    @Override
    public void finish() {
        followUp.awaitIdle();
    }

    @Override
    public void close() throws Exception {
        try (followUp) {
            commit.close();
        }
    }
}
