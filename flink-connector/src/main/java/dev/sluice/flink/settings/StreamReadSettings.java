/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.ReadLimitOptions;
import dev.sluice.flink.option.ReadOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a streaming read follows new snapshots.
 *
 * @param discoveryInterval longest wait between two looks for a new snapshot
 * @param maxSnapshots most snapshots planned between two checkpoints, or -1 for no limit
 * @param limits what one look hands out
 * @param boundedWatermarkInterval step in which a streaming read that ends with the present advances its watermark, or
 *     null for one that goes on; see {@link ReadOptions#BOUNDED_WATERMARK_INTERVAL}
 * @param checkpointsAligned whether a checkpoint waits for a snapshot to be consumed
 * @param checkpointAlignTimeout how long it waits
 * @param shuffleWithPartition whether the partition counts when the subtask of a bucket is picked
 */
public record StreamReadSettings(
        Duration discoveryInterval,
        int maxSnapshots,
        Limits limits,
        @Nullable Duration boundedWatermarkInterval,
        boolean checkpointsAligned,
        Duration checkpointAlignTimeout,
        boolean shuffleWithPartition)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public StreamReadSettings {
        Positive.check(ReadOptions.DISCOVERY_INTERVAL, discoveryInterval);
        Positive.check(ReadOptions.BOUNDED_WATERMARK_INTERVAL, boundedWatermarkInterval);
        Positive.check(ReadOptions.CHECKPOINT_ALIGN_TIMEOUT, checkpointAlignTimeout);
        if (maxSnapshots != -1 && maxSnapshots < 1) {
            throw Positive.refused(
                    ReadOptions.MAX_SNAPSHOT_COUNT, maxSnapshots, "a whole number from 1, or -1 for no limit");
        }
    }

    /**
     * What one look for new snapshots hands out; null is no limit.
     *
     * @param maxBytes most bytes of data files
     * @param maxFiles most data files
     * @param maxRows most stored rows
     * @param minRows rows that new snapshots must have together before they are handed out
     * @param maxDelay how long fewer rows are held back at most; set if and only if minRows is
     */
    public record Limits(
            @Nullable Long maxBytes,
            @Nullable Integer maxFiles,
            @Nullable Long maxRows,
            @Nullable Long minRows,
            @Nullable Duration maxDelay)
            implements Serializable {

        private static final long serialVersionUID = 1L;

        public Limits {
            Positive.check(ReadLimitOptions.MAX_BYTES, maxBytes);
            Positive.check(ReadLimitOptions.MAX_FILES, maxFiles);
            Positive.check(ReadLimitOptions.MAX_ROWS, maxRows);
            Positive.check(ReadLimitOptions.MIN_ROWS, minRows);
            Positive.check(ReadLimitOptions.MAX_DELAY, maxDelay);
            if ((minRows == null) != (maxDelay == null)) {
                throw new IllegalArgumentException("Options '" + ReadLimitOptions.MIN_ROWS.key() + "' and '"
                        + ReadLimitOptions.MAX_DELAY.key() + "' go together; set both or none.");
            }
            if (minRows != null && maxRows != null && minRows > maxRows) {
                throw Positive.refused(
                        ReadLimitOptions.MIN_ROWS,
                        minRows,
                        "at most " + ReadLimitOptions.MAX_ROWS.key() + ", " + maxRows);
            }
        }
    }

    static StreamReadSettings every(Duration discoveryInterval) {
        return from(new Configuration().set(ReadOptions.DISCOVERY_INTERVAL, discoveryInterval));
    }

    static StreamReadSettings from(ReadableConfig options) {
        return new StreamReadSettings(
                options.get(ReadOptions.DISCOVERY_INTERVAL),
                options.get(ReadOptions.MAX_SNAPSHOT_COUNT),
                new Limits(
                        options.getOptional(ReadLimitOptions.MAX_BYTES).orElse(null),
                        options.getOptional(ReadLimitOptions.MAX_FILES).orElse(null),
                        options.getOptional(ReadLimitOptions.MAX_ROWS).orElse(null),
                        options.getOptional(ReadLimitOptions.MIN_ROWS).orElse(null),
                        options.getOptional(ReadLimitOptions.MAX_DELAY).orElse(null)),
                options.getOptional(ReadOptions.BOUNDED_WATERMARK_INTERVAL).orElse(null),
                options.get(ReadOptions.CHECKPOINT_ALIGN),
                options.get(ReadOptions.CHECKPOINT_ALIGN_TIMEOUT),
                options.get(ReadOptions.SHUFFLE_BUCKET_WITH_PARTITION));
    }
}
