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

    public static final ConfigOption<String> SINK_OPERATOR_UID_SUFFIX = ConfigOptions.key("sink.operator-uid.suffix")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "Ends the uids of the sink's operators (\"Writer_<table>_<suffix>\"), so that a changed job"
                            + " finds its state again. Unset: Flink derives the uids from the shape of the job.");

    private WriteOptions() {}
}
