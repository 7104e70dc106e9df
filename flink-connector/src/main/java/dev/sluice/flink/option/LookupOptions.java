/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options that only a lookup join looks at. */
public final class LookupOptions {

    public static final ConfigOption<Boolean> ASYNC = ConfigOptions.key("lookup.async")
            .booleanType()
            .defaultValue(false)
            .withDescription("Whether a lookup join probes the table without waiting for one probe before the next.");

    public static final ConfigOption<Integer> ASYNC_THREADS = ConfigOptions.key("lookup.async-thread-number")
            .intType()
            .defaultValue(16)
            .withDescription("How many probes of one subtask read files at the same time when lookup.async is true.");

    private LookupOptions() {}
}
