/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.option.WatermarkEmitStrategy;
import dev.sluice.flink.settings.WatermarkSettings;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** How the source emits the watermarks that its table declares. */
final class ScanWatermarks {

    private ScanWatermarks() {}

    /**
     * @param declared what the table declares, or null if that is nothing
     * @param step see {@link ReadOptions#BOUNDED_WATERMARK_INTERVAL}
     */
    static WatermarkStrategy<RowData> strategy(
            @Nullable WatermarkStrategy<RowData> declared, WatermarkSettings settings, @Nullable Duration step) {
        if (declared == null) {
            return WatermarkStrategy.noWatermarks();
        }
        WatermarkStrategy<RowData> strategy = declared;
        if (settings.emitStrategy() == WatermarkEmitStrategy.ON_EVENT) {
            strategy = onEvent(strategy);
        }
        if (step != null) {
            strategy = inSteps(strategy, step.toMillis());
        }
        if (settings.alignmentGroup() != null && settings.alignmentMaxDrift() != null) {
            strategy = strategy.withWatermarkAlignment(
                    settings.alignmentGroup(), settings.alignmentMaxDrift(), settings.alignmentUpdateInterval());
        }
        return settings.idleTimeout() == null ? strategy : strategy.withIdleness(settings.idleTimeout());
    }

    /** Emits after each row what would wait for the next interval. */
    private static WatermarkStrategy<RowData> onEvent(WatermarkStrategy<RowData> declared) {
        return new Emitting(declared, generator -> new WatermarkGenerator<>() {
            @Override
            public void onEvent(RowData row, long timestamp, WatermarkOutput output) {
                generator.onEvent(row, timestamp, output);
                generator.onPeriodicEmit(output);
            }

            @Override
            public void onPeriodicEmit(WatermarkOutput output) {
                generator.onPeriodicEmit(output);
            }
        });
    }

    /** Emits only multiples of the step: the last one that the watermark has reached. */
    private static WatermarkStrategy<RowData> inSteps(WatermarkStrategy<RowData> declared, long stepMillis) {
        return new Emitting(declared, generator -> new WatermarkGenerator<>() {

            private final Steps steps = new Steps(stepMillis);

            @Override
            public void onEvent(RowData row, long timestamp, WatermarkOutput output) {
                generator.onEvent(row, timestamp, steps.to(output));
            }

            @Override
            public void onPeriodicEmit(WatermarkOutput output) {
                generator.onPeriodicEmit(steps.to(output));
            }
        });
    }

    /** Lets through what reaches a further step. Used by one task. */
    private static final class Steps implements WatermarkOutput {

        private final long stepMillis;
        private long reached = Long.MIN_VALUE;
        private @Nullable WatermarkOutput behind;

        Steps(long stepMillis) {
            this.stepMillis = stepMillis;
        }

        WatermarkOutput to(WatermarkOutput output) {
            behind = output;
            return this;
        }

        private WatermarkOutput behind() {
            return Objects.requireNonNull(behind);
        }

        @Override
        public void emitWatermark(Watermark watermark) {
            long time = watermark.getTimestamp();
            if (time < Long.MIN_VALUE + stepMillis) {
                return;
            }
            long step = time - Math.floorMod(time, stepMillis);
            if (step > reached) {
                reached = step;
                behind().emitWatermark(new Watermark(step));
            }
        }

        @Override
        public void markIdle() {
            behind().markIdle();
        }

        @Override
        public void markActive() {
            behind().markActive();
        }
    }

    private interface Change extends Serializable {

        WatermarkGenerator<RowData> of(WatermarkGenerator<RowData> declared);
    }

    /** What is declared, with its watermarks emitted in another way. */
    private record Emitting(WatermarkStrategy<RowData> declared, Change change) implements WatermarkStrategy<RowData> {

        private static final long serialVersionUID = 1L;

        @Override
        public WatermarkGenerator<RowData> createWatermarkGenerator(WatermarkGeneratorSupplier.Context context) {
            return change.of(declared.createWatermarkGenerator(context));
        }

        @Override
        public TimestampAssigner<RowData> createTimestampAssigner(TimestampAssignerSupplier.Context context) {
            return declared.createTimestampAssigner(context);
        }

        @Override
        public WatermarkAlignmentParams getAlignmentParameters() {
            return declared.getAlignmentParameters();
        }
    }
}
