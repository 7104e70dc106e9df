/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** What happens around a commit: tags, listeners, marks on complete partitions. */
public final class CommitOptions {

    private static final Family FAMILY = new Family(Side.WRITE);

    public static final ConfigOption<Boolean> SAVEPOINT_AUTO_TAG = FAMILY.key(
                    "sink.savepoint.auto-tag", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether the snapshot of a Flink savepoint gets a tag, so that it is not expired.")
            .defaultsTo(false);

    public static final ConfigOption<String> CUSTOM_LISTENERS = FAMILY.key(
                    "commit.custom-listeners", ValueType.text().within("names with ',' between two", v -> true))
            .from(Origin.PAIMON)
            .unit("names")
            .about(
                    "Listeners called after each commit, by the identifiers of their CommitListenerFactory; one that fails is"
                            + " logged and holds up neither commits nor checkpoints.")
            .noDefault();

    public static final ConfigOption<Long> END_INPUT_WATERMARK = FAMILY.key(
                    "end-input.watermark", ValueType.wholeLong())
            .from(Origin.PAIMON)
            .unit("milliseconds since 1970-01-01 UTC")
            .about("The watermark of the last snapshot when the input of a bounded write ends.")
            .noDefault();

    public static final ConfigOption<PartitionDoneMode> PARTITION_DONE_MODE = FAMILY.key(
                    "partition.mark-done-action.mode", ValueType.oneOf(PartitionDoneMode.class))
            .from(Origin.PAIMON)
            .unit("name")
            .about("Which clock decides that a partition is complete.")
            .defaultsTo(PartitionDoneMode.PROCESS_TIME);

    public static final ConfigOption<Duration> PARTITION_IDLE_TIME = FAMILY.key(
                    "partition.idle-time-to-done", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("A partition without new rows for this long counts as complete.")
            .noDefault();

    public static final ConfigOption<Duration> PARTITION_TIME_INTERVAL = FAMILY.key(
                    "partition.time-interval", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("The time that one partition stands for, such as '1 d'.")
            .noDefault();

    public static final ConfigOption<Boolean> PARTITION_DONE_RECOVER = FAMILY.key(
                    "partition.mark-done.recover-from-state", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether partitions that waited to be marked are remembered across a restart.")
            .defaultsTo(true);

    private CommitOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
