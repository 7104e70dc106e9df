/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.WriteOptions;
import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is written.
 *
 * @param parallelism writer subtasks, or null for the job's parallelism
 */
public record WriteSettings(@Nullable Integer parallelism) implements Serializable {

    public WriteSettings {
        Positive.check(WriteOptions.SINK_PARALLELISM, parallelism);
    }

    public static WriteSettings from(ReadableConfig options) {
        return new WriteSettings(
                options.getOptional(WriteOptions.SINK_PARALLELISM).orElse(null));
    }
}
