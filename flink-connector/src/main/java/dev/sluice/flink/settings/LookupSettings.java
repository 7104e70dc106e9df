/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.option.ReadOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How a table is probed by a lookup join.
 *
 * @param async whether probes are answered without blocking the task thread
 * @param asyncThreads probes of one subtask that may read files at once, if async
 * @param refreshInterval wait between two looks for a new snapshot; positive
 */
public record LookupSettings(boolean async, int asyncThreads, Duration refreshInterval) implements Serializable {

    /** A dimension should be fresh, and a look costs one small read, so it is shorter than a scan's default. */
    private static final Duration DEFAULT_REFRESH_INTERVAL = Duration.ofSeconds(1);

    public LookupSettings {
        Positive.check(LookupOptions.ASYNC_THREADS, asyncThreads);
        if (refreshInterval.toMillis() < 1) {
            throw new IllegalArgumentException("Option '" + ReadOptions.DISCOVERY_INTERVAL.key() + "' is "
                    + refreshInterval + "; accepted is a duration from 1 ms.");
        }
    }

    public static LookupSettings from(ReadableConfig options) {
        return new LookupSettings(
                options.get(LookupOptions.ASYNC),
                options.get(LookupOptions.ASYNC_THREADS),
                options.getOptional(ReadOptions.DISCOVERY_INTERVAL).orElse(DEFAULT_REFRESH_INTERVAL));
    }
}
