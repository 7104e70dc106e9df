/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Map;
import org.apache.paimon.metrics.Gauge;
import org.apache.paimon.metrics.Metric;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricGroupImpl;
import org.apache.paimon.metrics.MetricRegistry;
import org.apache.paimon.operation.metrics.CommitMetrics;
import org.jspecify.annotations.Nullable;

/** Reads what the engine says of its last commit. Used by the committing thread only. */
final class EngineCommitMetrics implements MetricRegistry {

    private @Nullable MetricGroup group;

    @Override
    public MetricGroup createMetricGroup(String groupName, Map<String, String> variables) {
        MetricGroup created = new MetricGroupImpl(groupName, variables);
        if (groupName.equals(CommitMetrics.GROUP_NAME)) {
            group = created;
        }
        return created;
    }

    /** The newest snapshot that the engine's commit has made, or -1. */
    long lastSnapshotId() {
        return value(CommitMetrics.LAST_COMMITTED_SNAPSHOT_ID, -1);
    }

    int lastSnapshots() {
        return (int) value(CommitMetrics.LAST_GENERATED_SNAPSHOTS, 0);
    }

    int lastAttempts() {
        return (int) value(CommitMetrics.LAST_COMMIT_ATTEMPTS, 0);
    }

    private long value(String name, long otherwise) {
        Metric metric = group == null ? null : group.getMetrics().get(name);
        return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
                ? number.longValue()
                : otherwise;
    }
}
