/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.WriteOptions;
import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is written.
 *
 * @param parallelism writer subtasks, or null for the job's parallelism (for the input's where rows have no bucket)
 * @param operatorUidSuffix ends the uids of the sink's operators, or null to let Flink derive them from the job's shape
 */
public record WriteSettings(
        @Nullable Integer parallelism, @Nullable String operatorUidSuffix) implements Serializable {

    public WriteSettings {
        Positive.check(WriteOptions.SINK_PARALLELISM, parallelism);
    }

    public WriteSettings(@Nullable Integer parallelism) {
        this(parallelism, null);
    }

    public static WriteSettings from(ReadableConfig options) {
        return new WriteSettings(
                options.getOptional(WriteOptions.SINK_PARALLELISM).orElse(null),
                options.getOptional(WriteOptions.SINK_OPERATOR_UID_SUFFIX).orElse(null));
    }
}
