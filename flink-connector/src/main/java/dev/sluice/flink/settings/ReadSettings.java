/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.ReadOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is read.
 *
 * @param parallelism subtasks of the source, or null for the job's parallelism
 * @param discoveryInterval longest wait between two looks for a new snapshot
 */
public record ReadSettings(@Nullable Integer parallelism, Duration discoveryInterval) implements Serializable {

    public ReadSettings {
        Positive.check(ReadOptions.SCAN_PARALLELISM, parallelism);
    }

    public static ReadSettings from(ReadableConfig options) {
        return new ReadSettings(
                options.getOptional(ReadOptions.SCAN_PARALLELISM).orElse(null),
                options.get(ReadOptions.DISCOVERY_INTERVAL));
    }
}
