/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.option.WatermarkOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is read. Where the read begins is not here: the engine takes it from the table's options.
 *
 * @param parallel how many subtasks read
 * @param stream how new snapshots are followed
 * @param splits how splits are planned and handed out
 * @param watermarks how watermarks are emitted
 * @param rows which rows come out and in which form
 * @param operatorUidSuffix end of the operators' uids, or null for generated ones
 */
public record ReadSettings(
        Parallel parallel,
        StreamReadSettings stream,
        SplitSettings splits,
        WatermarkSettings watermarks,
        Rows rows,
        @Nullable String operatorUidSuffix)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public ReadSettings {
        Duration step = stream.boundedWatermarkInterval();
        Duration drift = watermarks.alignmentMaxDrift();
        if (step != null && drift != null && step.compareTo(drift) > 0) {
            throw Positive.refused(
                    ReadOptions.BOUNDED_WATERMARK_INTERVAL,
                    step,
                    "at most " + WatermarkOptions.ALIGNMENT_MAX_DRIFT.key() + ", " + drift
                            + ", or each step would put the source further ahead than its group allows");
        }
    }

    /**
     * @param fixed subtasks of the source, or null for an inferred number or the job's parallelism
     * @param inferred whether the number is taken from what there is to read, if it is not fixed
     * @param inferredMax most subtasks of an inferred number
     */
    public record Parallel(@Nullable Integer fixed, boolean inferred, int inferredMax) implements Serializable {

        private static final long serialVersionUID = 1L;

        public Parallel {
            Positive.check(ReadOptions.SCAN_PARALLELISM, fixed);
            Positive.check(ReadOptions.INFER_PARALLELISM_MAX, inferredMax);
        }
    }

    /**
     * @param bounded whether a scan ends in a streaming job too; null for what the job's mode says
     * @param partitions the partitions to read as the option has them, or null for all
     * @param fullScanAllowed whether a partitioned table may be scanned without a filter on partitions
     * @param changelog whether each change comes as an inserted row with its kind in a column
     * @param normalizeRemoved whether the changelog is claimed to be complete
     * @param aggregatesPushed whether aggregates may be answered from metadata
     */
    public record Rows(
            @Nullable Boolean bounded,
            @Nullable String partitions,
            boolean fullScanAllowed,
            boolean changelog,
            boolean normalizeRemoved,
            boolean aggregatesPushed)
            implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    /** With what holds by default for everything else. */
    public ReadSettings(@Nullable Integer parallelism, Duration discoveryInterval) {
        this(
                new Parallel(
                        parallelism,
                        ReadOptions.INFER_PARALLELISM.defaultValue(),
                        ReadOptions.INFER_PARALLELISM_MAX.defaultValue()),
                StreamReadSettings.every(discoveryInterval),
                SplitSettings.from(new Configuration()),
                WatermarkSettings.from(new Configuration()),
                new Rows(null, null, true, false, false, false),
                null);
    }

    /** With the job's parallelism where none is fixed. */
    public ReadSettings withoutInferredParallelism() {
        return new ReadSettings(
                new Parallel(parallel.fixed(), false, parallel.inferredMax()),
                stream,
                splits,
                watermarks,
                rows,
                operatorUidSuffix);
    }

    /** Subtasks of the source, or null for an inferred number or the job's parallelism. */
    public @Nullable Integer parallelism() {
        return parallel.fixed();
    }

    /** The longest wait between two looks for a new snapshot. */
    public Duration discoveryInterval() {
        return stream.discoveryInterval();
    }

    /**
     * @param options with the keys of the option room, in any of their spellings
     * @throws IllegalArgumentException if a value cannot be read or is out of its range
     */
    public static ReadSettings from(ReadableConfig options) {
        return new ReadSettings(
                new Parallel(
                        options.getOptional(ReadOptions.SCAN_PARALLELISM).orElse(null),
                        options.get(ReadOptions.INFER_PARALLELISM),
                        options.get(ReadOptions.INFER_PARALLELISM_MAX)),
                StreamReadSettings.from(options),
                SplitSettings.from(options),
                WatermarkSettings.from(options),
                new Rows(
                        options.getOptional(TableOptions.SCAN_BOUNDED).orElse(null),
                        options.getOptional(ReadOptions.PARTITIONS).orElse(null),
                        options.get(ReadOptions.ALLOW_FULL_SCAN),
                        options.get(ReadOptions.READ_CHANGELOG),
                        options.get(ReadOptions.REMOVE_NORMALIZE),
                        options.get(ReadOptions.AGGREGATE_PUSH_DOWN)),
                options.getOptional(ReadOptions.OPERATOR_UID_SUFFIX).orElse(null));
    }
}
