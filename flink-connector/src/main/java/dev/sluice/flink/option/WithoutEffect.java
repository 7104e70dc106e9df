/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.options.ConfigOption;

/** Options of the official connector's own operators. They are known and do no harm, but nothing here looks at them. */
final class WithoutEffect {

    private static final String COORDINATOR = "writers here plan from their own state and need no coordinator";

    private static final Map<String, String> REASONS = Map.ofEntries(
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_ENABLED, COORDINATOR),
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_CACHE_MEMORY, COORDINATOR),
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_CACHE_EXPIRE_AFTER_ACCESS, COORDINATOR),
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_CACHE_SOFT_VALUES, COORDINATOR),
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_PAGE_SIZE, COORDINATOR),
            entry(FlinkConnectorOptions.SINK_WRITER_COORDINATOR_PREFETCH_MANIFESTS, COORDINATOR),
            entry(
                    FlinkConnectorOptions.SINK_COMMITTER_OPERATOR_CHAINING,
                    "the committer here has a task of its own, which is never chained to the writers"),
            entry(
                    FlinkConnectorOptions.SINK_COORDINATOR_COMMIT_ENABLED,
                    "commits here are made by an operator of the job"),
            entry(
                    FlinkConnectorOptions.UNAWARE_BUCKET_NO_SHUFFLE,
                    "it belongs to the official connector's synchronization jobs"));

    /** What sources, sinks and lookups look at by now, of the options that settings are built from. */
    private static final Set<String> USED = Set.of(
            TableOptions.PATH.key(),
            TableOptions.AUTO_CREATE.key(),
            TableOptions.BRANCH.key(),
            TableOptions.SCAN_BOUNDED.key(),
            ReadOptions.SCAN_PARALLELISM.key(),
            ReadOptions.INFER_PARALLELISM.key(),
            ReadOptions.INFER_PARALLELISM_MAX.key(),
            ReadOptions.DISCOVERY_INTERVAL.key(),
            ReadOptions.REMOVE_NORMALIZE.key(),
            ReadOptions.MAX_SNAPSHOT_COUNT.key(),
            ReadOptions.MAX_SPLITS_PER_TASK.key(),
            ReadOptions.BOUNDED_WATERMARK_INTERVAL.key(),
            ReadLimitOptions.MAX_BYTES.key(),
            ReadLimitOptions.MAX_FILES.key(),
            ReadLimitOptions.MAX_ROWS.key(),
            ReadLimitOptions.MIN_ROWS.key(),
            ReadLimitOptions.MAX_DELAY.key(),
            ReadOptions.PARTITIONS.key(),
            ReadOptions.ALLOW_FULL_SCAN.key(),
            ReadOptions.READ_CHANGELOG.key(),
            ReadOptions.AGGREGATE_PUSH_DOWN.key(),
            WatermarkOptions.EMIT_STRATEGY.key(),
            WatermarkOptions.ALIGNMENT_GROUP.key(),
            WatermarkOptions.ALIGNMENT_MAX_DRIFT.key(),
            WatermarkOptions.ALIGNMENT_UPDATE_INTERVAL.key(),
            WatermarkOptions.IDLE_TIMEOUT.key(),
            WriteOptions.SINK_PARALLELISM.key(),
            WriteOptions.SINK_OPERATOR_UID_SUFFIX.key(),
            WriteOptions.REQUIRED_CONFIGURATION_CHECK.key(),
            WriteOptions.WRITE_MODE.key(),
            WriteOptions.MAX_WRITERS_PER_TASK.key(),
            WriteOptions.COMPACTION_OPTIMIZATION.key(),
            WriteOptions.PRECOMMIT_COMPACT.key(),
            WriteOptions.COMPACTION_PARALLELISM.key(),
            WriteOptions.CLUSTERING_SORT_IN_CLUSTER.key(),
            WriteOptions.CLUSTERING_SAMPLE_FACTOR.key(),
            WriterResourceOptions.USE_MANAGED_MEMORY.key(),
            WriterResourceOptions.CROSS_PARTITION_MANAGED_MEMORY.key(),
            WriterResourceOptions.MANAGED_BUFFER_MEMORY.key(),
            WriterResourceOptions.WRITER_CPU.key(),
            WriterResourceOptions.WRITER_MEMORY.key(),
            WriterResourceOptions.WRITER_MANAGED_MEMORY.key(),
            WriterResourceOptions.COMMITTER_CPU.key(),
            WriterResourceOptions.COMMITTER_MEMORY.key(),
            CommitOptions.SAVEPOINT_AUTO_TAG.key(),
            CommitOptions.CUSTOM_LISTENERS.key(),
            CommitOptions.END_INPUT_WATERMARK.key(),
            CommitOptions.PARTITION_DONE_MODE.key(),
            CommitOptions.PARTITION_IDLE_TIME.key(),
            CommitOptions.PARTITION_TIME_INTERVAL.key(),
            CommitOptions.PARTITION_DONE_RECOVER.key(),
            LookupOptions.ASYNC.key(),
            LookupOptions.ASYNC_THREADS.key(),
            LookupOptions.CACHE.key(),
            LookupOptions.BOOTSTRAP_PARALLELISM.key(),
            LookupOptions.CACHE_MAX_ROWS.key(),
            LookupOptions.CACHE_TTL.key(),
            LookupOptions.CACHE_INVALIDATION.key(),
            LookupOptions.REFRESH_INTERVAL.key(),
            LookupOptions.REFRESH_ASYNC.key(),
            LookupOptions.REFRESH_PENDING_SNAPSHOTS.key(),
            LookupOptions.REFRESH_BLACKLIST.key(),
            LookupOptions.REFRESH_FULL_LOAD_THRESHOLD.key(),
            LookupOptions.PARTITION_REFRESH_INTERVAL.key(),
            LookupOptions.PARTITION_REFRESH_ASYNC.key());

    private WithoutEffect() {}

    static Optional<String> reason(OptionSpec<?> spec) {
        String reason = REASONS.get(spec.key());
        if (reason == null && spec.settings() != null && !USED.contains(spec.key())) {
            reason = "this version checks it but does not act on it yet";
        }
        return Optional.ofNullable(reason);
    }

    private static Map.Entry<String, String> entry(ConfigOption<?> option, String reason) {
        return Map.entry(option.key(), reason);
    }
}
