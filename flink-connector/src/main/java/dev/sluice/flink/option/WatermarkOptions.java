/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** Watermarks of a source whose table declares one. */
public final class WatermarkOptions {

    private static final Family FAMILY = new Family(Side.READ);

    public static final ConfigOption<WatermarkEmitStrategy> EMIT_STRATEGY = FAMILY.key(
                    "scan.watermark.emit.strategy", ValueType.oneOf(WatermarkEmitStrategy.class))
            .from(Origin.PAIMON)
            .unit("name")
            .about("Whether a source emits a watermark with each row or in an interval.")
            .defaultsTo(WatermarkEmitStrategy.ON_EVENT);

    public static final ConfigOption<String> ALIGNMENT_GROUP = FAMILY.key(
                    "scan.watermark.alignment.group", ValueType.text())
            .from(Origin.PAIMON)
            .unit("name")
            .about("Sources with the same group wait for each other so that their watermarks stay close.")
            .noDefault();

    public static final ConfigOption<Duration> ALIGNMENT_MAX_DRIFT = FAMILY.key(
                    "scan.watermark.alignment.max-drift", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("How far a source's watermark may be ahead of its group before it pauses.")
            .noDefault();

    public static final ConfigOption<Duration> ALIGNMENT_UPDATE_INTERVAL = FAMILY.key(
                    "scan.watermark.alignment.update-interval", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("How often the watermarks of a group are compared.")
            .defaultsTo(Duration.ofSeconds(1));

    public static final ConfigOption<Duration> IDLE_TIMEOUT = FAMILY.key(
                    "scan.watermark.idle-timeout", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("A source without rows for this long no longer holds back watermarks behind it.")
            .noDefault();

    private WatermarkOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
