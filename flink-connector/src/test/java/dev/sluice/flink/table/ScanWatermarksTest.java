/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.ReadSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

final class ScanWatermarksTest {

    /** Says at the end of each interval what the last row's only column says. */
    private static final class Declared implements WatermarkGenerator<RowData> {

        private long time = Long.MIN_VALUE;

        @Override
        public void onEvent(RowData row, long timestamp, WatermarkOutput output) {
            time = Math.max(time, row.getLong(0));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {
            output.emitWatermark(new Watermark(time));
        }
    }

    private static final class Emitted implements WatermarkOutput {

        private final List<Long> times = new ArrayList<>();

        @Override
        public void emitWatermark(Watermark watermark) {
            times.add(watermark.getTimestamp());
        }

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}
    }

    private static List<Long> emitted(Duration step, long... times) {
        WatermarkStrategy<RowData> strategy = ScanWatermarks.strategy(
                context -> new Declared(),
                ReadSettings.from(new Configuration()).watermarks(),
                step);
        WatermarkGenerator<RowData> generator = strategy.createWatermarkGenerator(null);
        Emitted emitted = new Emitted();
        generator.onPeriodicEmit(emitted);
        for (long time : times) {
            generator.onEvent(GenericRowData.of(time), time, emitted);
        }
        return emitted.times;
    }

    @Test
    void withAStepOnlyItsMultiplesAreEmittedAndEachOnce() {
        assertThat(emitted(Duration.ofSeconds(10), 3_000, 9_999, 10_000, 12_000, 8_000, 35_000))
                .containsExactly(0L, 10_000L, 30_000L);
    }

    @Test
    void aStepIsReachedBefore1970Too() {
        assertThat(emitted(Duration.ofSeconds(10), -12_000, -10_000)).containsExactly(-20_000L, -10_000L);
    }

    @Test
    void withoutAStepEachRowEmits() {
        assertThat(emitted(null, 3_000, 4_000)).containsExactly(Long.MIN_VALUE, 3_000L, 4_000L);
    }
}
