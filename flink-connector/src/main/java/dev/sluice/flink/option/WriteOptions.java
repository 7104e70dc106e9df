/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options that only a sink looks at. */
public final class WriteOptions {

    public static final ConfigOption<Integer> SINK_PARALLELISM = ConfigOptions.key("sink.parallelism")
            .intType()
            .noDefaultValue()
            .withDescription("How many writer subtasks write the table. Unset: the job's parallelism.");

    private WriteOptions() {}
}
