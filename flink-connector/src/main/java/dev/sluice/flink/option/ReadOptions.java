/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options that only a source looks at. */
public final class ReadOptions {

    public static final ConfigOption<Integer> SCAN_PARALLELISM = ConfigOptions.key("scan.parallelism")
            .intType()
            .noDefaultValue()
            .withDescription("How many source subtasks read the table. Unset: the job's parallelism.");

    public static final ConfigOption<Duration> DISCOVERY_INTERVAL = ConfigOptions.key("continuous.discovery-interval")
            .durationType()
            .defaultValue(Duration.ofSeconds(10))
            .withDescription("The longest a streaming read waits before it looks for a new snapshot again.");

    private ReadOptions() {}
}
