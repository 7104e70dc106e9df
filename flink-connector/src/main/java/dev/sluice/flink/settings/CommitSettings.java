/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.CommitOptions;
import dev.sluice.flink.option.PartitionDoneMode;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * What happens around a commit.
 *
 * @param savepointsTagged whether the snapshot of a savepoint gets a tag
 * @param listeners factories of listeners called after each commit
 * @param endInputWatermark watermark of the last snapshot of a bounded write in milliseconds, or null for none
 * @param partitionDone when a partition is marked as complete
 */
public record CommitSettings(
        boolean savepointsTagged,
        List<String> listeners,
        @Nullable Long endInputWatermark,
        PartitionDone partitionDone) implements Serializable {

    private static final long serialVersionUID = 1L;

    public CommitSettings {
        listeners = List.copyOf(listeners);
    }

    /**
     * @param mode which clock decides
     * @param idleTime time without new rows after which a partition counts as complete, or null for never
     * @param timeInterval the time one partition stands for, or null if it is not known
     * @param recovered whether partitions that wait to be marked are remembered across a restart
     */
    public record PartitionDone(
            PartitionDoneMode mode,
            @Nullable Duration idleTime,
            @Nullable Duration timeInterval,
            boolean recovered) implements Serializable {

        private static final long serialVersionUID = 1L;

        /** Whether the watermark decides, rather than the machine's clock. */
        public boolean byWatermark() {
            return mode == PartitionDoneMode.WATERMARK;
        }

        public PartitionDone {
            Positive.check(CommitOptions.PARTITION_IDLE_TIME, idleTime);
            Positive.check(CommitOptions.PARTITION_TIME_INTERVAL, timeInterval);
        }
    }

    static CommitSettings from(ReadableConfig options) {
        List<String> listeners = options.getOptional(CommitOptions.CUSTOM_LISTENERS).stream()
                .flatMap(names -> List.of(names.split(",")).stream())
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
        return new CommitSettings(
                options.get(CommitOptions.SAVEPOINT_AUTO_TAG),
                listeners,
                options.getOptional(CommitOptions.END_INPUT_WATERMARK).orElse(null),
                new PartitionDone(
                        options.get(CommitOptions.PARTITION_DONE_MODE),
                        options.getOptional(CommitOptions.PARTITION_IDLE_TIME).orElse(null),
                        options.getOptional(CommitOptions.PARTITION_TIME_INTERVAL)
                                .orElse(null),
                        options.get(CommitOptions.PARTITION_DONE_RECOVER)));
    }
}
