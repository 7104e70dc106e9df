/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.util.Optional;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.config.ExecutionConfigOptions;

/** How many subtasks a scan gets. */
final class ScanParallelism {

    private ScanParallelism() {}

    /**
     * A parallelism that somebody has set, for the scan or for the job, is not inferred over. -1 is none: Flink's local
     * environment sets its number of processors where it finds no value at all.
     */
    static ReadSettings inferredOnlyIfUnset(ReadSettings settings, ReadableConfig job) {
        boolean set = job.getOptional(CoreOptions.DEFAULT_PARALLELISM).orElse(ExecutionConfig.PARALLELISM_DEFAULT) > 0
                || job.get(ExecutionConfigOptions.TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM) > 0;
        return set ? settings.withoutInferredParallelism() : settings;
    }

    /**
     * Plans a bounded read to count its splits.
     *
     * @param spec everything that was pushed into the scan
     * @param unbounded whether the scan goes on with new snapshots
     * @return empty for the job's
     * @throws dev.sluice.flink.store.ReadException if the read cannot be planned
     */
    static Optional<Integer> inferred(StoreTable table, ReadSpec spec, ReadSettings settings, boolean unbounded) {
        if (!settings.parallel().inferred()) {
            return Optional.empty();
        }
        return (unbounded ? buckets(table) : Optional.of(splits(table, spec)))
                .map(found -> Math.max(1, Math.min(found, settings.parallel().inferredMax())));
    }

    private static int splits(StoreTable table, ReadSpec spec) {
        long splits = BoundedPlan.splits(table, spec).size();
        Long limit = spec.limit();
        return (int) (limit == null ? splits : Math.min(splits, limit));
    }

    /** A bucket is read by one subtask at a time, so more would idle. How many there are to be is known only if fixed. */
    private static Optional<Integer> buckets(StoreTable table) {
        int buckets = org.apache.paimon.CoreOptions.fromMap(table.options()).bucket();
        return buckets > 0 ? Optional.of(buckets) : Optional.empty();
    }
}
