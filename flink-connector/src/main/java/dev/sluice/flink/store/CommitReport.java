/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.metrics.Gauge;
import org.apache.paimon.metrics.Metric;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricGroupImpl;
import org.apache.paimon.metrics.MetricRegistry;
import org.apache.paimon.operation.metrics.CommitMetrics;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What came of commits: in numbers, which the engine gives as metrics, and in the log. Used by the committing thread. */
final class CommitReport {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCommitter.class);

    private final StoreTable table;
    private @Nullable MetricGroup lastCommit;

    CommitReport(StoreTable table, TableCommitImpl commit) {
        this.table = table;
        commit.withMetricRegistry(new MetricRegistry() {
            @Override
            public MetricGroup createMetricGroup(String name, Map<String, String> variables) {
                MetricGroup created = new MetricGroupImpl(name, variables);
                if (name.equals(CommitMetrics.GROUP_NAME)) {
                    lastCommit = created;
                }
                return created;
            }
        });
    }

    /** Of the last commit, which was made. */
    CommitSummary summary(PendingCommit made) {
        long rows = 0;
        long files = 0;
        for (CommitMessage message : made.messages()) {
            for (DataFileMeta file :
                    ((CommitMessageImpl) message).newFilesIncrement().newFiles()) {
                rows += file.rowCount();
                files++;
            }
        }
        // The engine does not count a snapshot whose callback failed.
        int snapshots = Math.max(1, (int) metric(CommitMetrics.LAST_GENERATED_SNAPSHOTS, 0));
        int retries = Math.max(0, (int) metric(CommitMetrics.LAST_COMMIT_ATTEMPTS, 0) - snapshots);
        long snapshotId = metric(CommitMetrics.LAST_COMMITTED_SNAPSHOT_ID, -1);
        return new CommitSummary(snapshotId, snapshots, retries, 0, rows, files);
    }

    private long metric(String name, long otherwise) {
        Metric metric = lastCommit == null ? null : lastCommit.getMetrics().get(name);
        return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
                ? number.longValue()
                : otherwise;
    }

    void made(PendingCommit one, CommitSummary done, long nanos) {
        LOG.info(
                "Committed {} to table {} as snapshot {}: {} rows in {} files, {} retries, {} ms",
                CommitFailures.describe(List.of(one)),
                table,
                done.snapshotId(),
                done.rows(),
                done.files(),
                done.retries(),
                nanos / 1_000_000L);
    }

    void callbackFailed(PendingCommit one, RuntimeException e) {
        LOG.warn(
                "The snapshot of {} of table {} is made, but what follows it failed: a callback of '{}' or the"
                        + " registration of its partitions. The job goes on",
                CommitFailures.describe(List.of(one)),
                table,
                CoreOptions.COMMIT_CALLBACKS.key(),
                e);
    }

    /** A compaction that lost against another writer's is only wasted work: it must not keep the job from starting. */
    void dropped(PendingCommit compaction, RuntimeException e) {
        LOG.warn(
                "The compaction of checkpoint {} of table {} is dropped: another writer compacted the same files",
                compaction.checkpointId(),
                table,
                e);
    }
}
