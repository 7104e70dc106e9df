/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.CommitSummary;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.SnapshotCommitter;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteFailedException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A committer that fails once, at a step that the test chooses, on its first commit that has files. */
record FailingCommitter(Committer real, String name, Step step) implements Committer {

    enum Step {
        BEFORE_COMMIT,
        AFTER_COMMIT,
        IN_RECOVERY_TOO,
        BATCH
    }

    private static final ConcurrentMap<String, Integer> FAILURES = new ConcurrentHashMap<>();

    static Opener opener(StoreTable table, Step step) {
        String name = table.name() + step;
        return commitUser -> new FailingCommitter(
                SnapshotCommitter.open(table, commitUser, null, new WriteSettings(null).commit()), name, step);
    }

    static int failures(StoreTable table, Step step) {
        return FAILURES.getOrDefault(table.name() + step, 0);
    }

    @Override
    public boolean wantsEmptySnapshots() {
        return real.wantsEmptySnapshots();
    }

    @Override
    public CommitSummary commit(List<PendingCommit> pending) throws WriteFailedException {
        boolean fail = !pending.isEmpty() && FAILURES.getOrDefault(name, 0) == 0;
        if (fail && step == Step.BEFORE_COMMIT) {
            FAILURES.put(name, 1);
            throw new IllegalStateException("the test fails before the commit");
        }
        CommitSummary summary = real.commit(pending);
        if (fail) {
            FAILURES.put(name, 1);
            throw new IllegalStateException("the test fails after the commit");
        }
        return summary;
    }

    @Override
    public CommitSummary recover(long checkpointId, List<PendingCommit> pending) throws WriteFailedException {
        CommitSummary missing = real.recover(checkpointId, pending);
        if (step == Step.BATCH && !pending.isEmpty() && FAILURES.getOrDefault(name, 0) == 0) {
            FAILURES.put(name, 1);
            throw new IllegalStateException("the test fails after the commit of the batch job");
        }
        if (step == Step.IN_RECOVERY_TOO && FAILURES.getOrDefault(name, 0) == 1) {
            FAILURES.put(name, 2);
            throw new IllegalStateException("the test fails after the recovery");
        }
        return missing;
    }

    @Override
    public void checkpointCompleted(@Nullable Long watermark, boolean inputEnded) {
        real.checkpointCompleted(watermark, inputEnded);
    }

    @Override
    public List<String> unmarkedPartitions() {
        return real.unmarkedPartitions();
    }

    @Override
    public void restoreUnmarkedPartitions(List<String> partitions) {
        real.restoreUnmarkedPartitions(partitions);
    }

    @Override
    public void tagSavepoint(long checkpointId) {
        real.tagSavepoint(checkpointId);
    }

    @Override
    public void untagSavepoint(long checkpointId) {
        real.untagSavepoint(checkpointId);
    }

    @Override
    public void finish() {
        real.finish();
    }

    @Override
    public void close() throws Exception {
        real.close();
    }
}
