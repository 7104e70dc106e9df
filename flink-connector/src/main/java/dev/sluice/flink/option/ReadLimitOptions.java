/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** How much a streaming read takes in with one look for new snapshots. */
public final class ReadLimitOptions {

    private static final Family FAMILY = new Family(Side.READ);

    public static final ConfigOption<Long> MAX_BYTES = FAMILY.key(
                    "read.stream.max-bytes-per-discovery", ValueType.longFrom(1))
            .alias("read.stream.maxBytesPerTrigger", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("bytes")
            .about(
                    "The most bytes of data files that one look for new snapshots hands out; whole splits, at least one.")
            .noDefault();

    public static final ConfigOption<Integer> MAX_FILES = FAMILY.key(
                    "read.stream.max-files-per-discovery", ValueType.integerFrom(1))
            .alias("read.stream.maxFilesPerTrigger", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("files")
            .about("The most data files that one look for new snapshots hands out; whole splits, at least one.")
            .noDefault();

    public static final ConfigOption<Long> MAX_ROWS = FAMILY.key(
                    "read.stream.max-rows-per-discovery", ValueType.longFrom(1))
            .alias("read.stream.maxRowsPerTrigger", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("rows")
            .about("The most stored rows that one look for new snapshots hands out; whole splits, at least one.")
            .noDefault();

    public static final ConfigOption<Long> MIN_ROWS = FAMILY.key(
                    "read.stream.min-rows-per-discovery", ValueType.longFrom(1))
            .alias("read.stream.minRowsPerTrigger", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("rows")
            .about(
                    "New snapshots are held back until they have this many rows together, or the greatest delay is over.")
            .noDefault();

    public static final ConfigOption<Duration> MAX_DELAY = FAMILY.key(
                    "read.stream.max-discovery-delay", ValueType.positiveDuration())
            .alias("read.stream.maxTriggerDelayMs", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("duration")
            .about("How long rows below the minimum are held back at most.")
            .note("Spark's name takes milliseconds only; a bare number means milliseconds here too.")
            .noDefault();

    private ReadLimitOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
