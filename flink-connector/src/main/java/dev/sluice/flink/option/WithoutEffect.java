/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.Map;
import java.util.Optional;
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
                    FlinkConnectorOptions.SINK_COORDINATOR_COMMIT_ENABLED,
                    "commits here are made by an operator of the job"),
            entry(
                    FlinkConnectorOptions.UNAWARE_BUCKET_NO_SHUFFLE,
                    "it belongs to the official connector's synchronization jobs"));

    private WithoutEffect() {}

    static Optional<String> reason(String key) {
        return Optional.ofNullable(REASONS.get(key));
    }

    private static Map.Entry<String, String> entry(ConfigOption<?> option, String reason) {
        return Map.entry(option.key(), reason);
    }
}
