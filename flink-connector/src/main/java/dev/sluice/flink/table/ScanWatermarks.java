/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.WatermarkEmitStrategy;
import dev.sluice.flink.settings.WatermarkSettings;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
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

    /** @param declared what the table declares, or null if that is nothing */
    static WatermarkStrategy<RowData> strategy(
            @Nullable WatermarkStrategy<RowData> declared, WatermarkSettings settings) {
        if (declared == null) {
            return WatermarkStrategy.noWatermarks();
        }
        WatermarkStrategy<RowData> strategy = declared;
        if (settings.emitStrategy() == WatermarkEmitStrategy.ON_EVENT) {
            strategy = onEvent(strategy);
        }
        if (settings.alignmentGroup() != null && settings.alignmentMaxDrift() != null) {
            strategy = strategy.withWatermarkAlignment(
                    settings.alignmentGroup(), settings.alignmentMaxDrift(), settings.alignmentUpdateInterval());
        }
        return settings.idleTimeout() == null ? strategy : strategy.withIdleness(settings.idleTimeout());
    }

    private static WatermarkStrategy<RowData> onEvent(WatermarkStrategy<RowData> declared) {
        return new OnEvent(declared);
    }

    /** Emits after each row what would wait for the next interval. */
    private record OnEvent(WatermarkStrategy<RowData> declared) implements WatermarkStrategy<RowData> {

        private static final long serialVersionUID = 1L;

        @Override
        public WatermarkGenerator<RowData> createWatermarkGenerator(WatermarkGeneratorSupplier.Context context) {
            WatermarkGenerator<RowData> generator = declared.createWatermarkGenerator(context);
            return new WatermarkGenerator<>() {
                @Override
                public void onEvent(RowData row, long timestamp, WatermarkOutput output) {
                    generator.onEvent(row, timestamp, output);
                    generator.onPeriodicEmit(output);
                }

                @Override
                public void onPeriodicEmit(WatermarkOutput output) {
                    generator.onPeriodicEmit(output);
                }
            };
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
