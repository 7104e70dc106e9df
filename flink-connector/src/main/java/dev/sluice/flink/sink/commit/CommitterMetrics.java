/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.CommitSummary;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.runtime.metrics.MetricNames;

/**
 * The committer's metrics, named as those of Flink's own committers where they have one. Updated by the task's thread and
 * the committing thread, read by any.
 */
final class CommitterMetrics {

    /** Commits that the histogram of durations is made of. */
    private static final int WINDOW = 100;

    private final Counter total = new ThreadSafeSimpleCounter();
    private final Counter successful = new ThreadSafeSimpleCounter();
    private final Counter failed = new ThreadSafeSimpleCounter();
    private final Counter already = new ThreadSafeSimpleCounter();
    private final Counter snapshots = new ThreadSafeSimpleCounter();
    private final Counter retries = new ThreadSafeSimpleCounter();
    private final Counter dropped = new ThreadSafeSimpleCounter();
    private final AtomicLong pending = new AtomicLong();
    private final AtomicLong waitingCheckpoints = new AtomicLong();
    private final Histogram duration = new DescriptiveStatisticsHistogram(WINDOW);
    private volatile long lastDuration;
    private volatile long lastSnapshotId = -1;
    private volatile long lastRows;
    private volatile long lastFiles;

    void register(MetricGroup group) {
        group.counter(MetricNames.TOTAL_COMMITTABLES, total);
        group.counter(MetricNames.SUCCESSFUL_COMMITTABLES, successful);
        group.counter(MetricNames.FAILED_COMMITTABLES, failed);
        group.counter(MetricNames.ALREADY_COMMITTED_COMMITTABLES, already);
        group.gauge(MetricNames.PENDING_COMMITTABLES, pending::get);
        group.gauge("pendingCheckpoints", waitingCheckpoints::get);
        group.counter("commitSnapshots", snapshots);
        group.counter("commitConflicts", retries);
        group.counter("commitDroppedCompactions", dropped);
        group.histogram("commitDuration", duration);
        group.gauge("lastCommitDuration", () -> lastDuration);
        group.gauge("lastCommittedSnapshotId", () -> lastSnapshotId);
        group.gauge("lastCommitRows", () -> lastRows);
        group.gauge("lastCommitFiles", () -> lastFiles);
    }

    void received(int committables) {
        total.inc(committables);
        pending.addAndGet(committables);
    }

    void waiting(int checkpoints) {
        waitingCheckpoints.set(checkpoints);
    }

    /** @param nanos how long the commit took */
    void committed(int committables, CommitSummary summary, long nanos) {
        successful.inc(committables);
        pending.addAndGet(-committables);
        done(summary, nanos);
    }

    /** @param committables what the restored state held, which was received by an earlier attempt of the job */
    void recovered(int committables, CommitSummary summary, long nanos) {
        total.inc(committables);
        (summary.snapshots() > 0 ? successful : already).inc(committables);
        done(summary, nanos);
    }

    void failed(int committables) {
        failed.inc(committables);
    }

    private void done(CommitSummary summary, long nanos) {
        dropped.inc(summary.dropped());
        if (summary.snapshots() == 0) {
            return;
        }
        snapshots.inc(summary.snapshots());
        retries.inc(summary.retries());
        lastDuration = nanos / 1_000_000;
        duration.update(lastDuration);
        lastSnapshotId = summary.snapshotId();
        lastRows = summary.rows();
        lastFiles = summary.files();
    }
}
