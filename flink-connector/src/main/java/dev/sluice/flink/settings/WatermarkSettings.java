/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.WatermarkEmitStrategy;
import dev.sluice.flink.option.WatermarkOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a source emits watermarks when its table declares one.
 *
 * @param emitStrategy with each row or in an interval
 * @param alignmentGroup sources of one group wait for each other, or null for none
 * @param alignmentMaxDrift how far the source may be ahead of its group; set if and only if the group is
 * @param alignmentUpdateInterval how often the group is compared
 * @param idleTimeout after how long without rows the source no longer holds back others, or null for never
 */
public record WatermarkSettings(
        WatermarkEmitStrategy emitStrategy,
        @Nullable String alignmentGroup,
        @Nullable Duration alignmentMaxDrift,
        Duration alignmentUpdateInterval,
        @Nullable Duration idleTimeout)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public WatermarkSettings {
        Positive.check(WatermarkOptions.ALIGNMENT_MAX_DRIFT, alignmentMaxDrift);
        Positive.check(WatermarkOptions.ALIGNMENT_UPDATE_INTERVAL, alignmentUpdateInterval);
        Positive.check(WatermarkOptions.IDLE_TIMEOUT, idleTimeout);
        if ((alignmentGroup == null) != (alignmentMaxDrift == null)) {
            throw new IllegalArgumentException("Options '" + WatermarkOptions.ALIGNMENT_GROUP.key() + "' and '"
                    + WatermarkOptions.ALIGNMENT_MAX_DRIFT.key() + "' go together; set both or none.");
        }
    }

    static WatermarkSettings from(ReadableConfig options) {
        return new WatermarkSettings(
                options.get(WatermarkOptions.EMIT_STRATEGY),
                options.getOptional(WatermarkOptions.ALIGNMENT_GROUP).orElse(null),
                options.getOptional(WatermarkOptions.ALIGNMENT_MAX_DRIFT).orElse(null),
                options.get(WatermarkOptions.ALIGNMENT_UPDATE_INTERVAL),
                options.getOptional(WatermarkOptions.IDLE_TIMEOUT).orElse(null));
    }
}
