/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out of the operator that merges rows ahead of their shuffle, in which order. */
final class LocalMergeITCase {

    private static final int ROWS = 60_000;
    private static final int KEYS = 2_000;
    private static final ConcurrentLinkedQueue<long[]> SEEN = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    /** Notes rows as their key and number, and watermarks as themselves. */
    private static final class Recorder extends AbstractStreamOperator<Long>
            implements OneInputStreamOperator<RowData, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(StreamRecord<RowData> element) {
            String note = element.getValue().getString(2).toString();
            SEEN.add(new long[] {element.getValue().getLong(0), Long.parseLong(note.substring(0, note.indexOf(' ')))});
        }

        @Override
        public void processWatermark(Watermark mark) throws Exception {
            SEEN.add(new long[] {mark.getTimestamp()});
            super.processWatermark(mark);
        }
    }

    /** Sends a watermark of long ago once the input, and with it event time, has ended. */
    private static final class Straggler extends AbstractStreamOperator<RowData>
            implements OneInputStreamOperator<RowData, RowData>, BoundedOneInput {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(StreamRecord<RowData> element) {
            output.collect(element);
        }

        @Override
        public void endInput() {
            output.emitWatermark(new Watermark(5));
        }
    }

    private static RowData row(long index) {
        return GenericRowData.of(index * 7 % KEYS, 0, StringData.fromString(index + " " + "x".repeat(200)));
    }

    @Test
    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    void rowsOfAKeyAreMergedAndNoWatermarkOvertakesARow() throws Exception {
        StoreTable table = new Warehouse(folder)
                .create("merged", List.of("id"), List.of(), Map.of("bucket", "1", "local-merge-buffer-size", "1 mb"));
        SEEN.clear();
        try (Cluster cluster = new Cluster(2)) {
            StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(100), 0));
            env.setParallelism(1);
            env.getConfig().setAutoWatermarkInterval(1);
            RateLimiterStrategy rate = RateLimiterStrategy.perSecond(40_000);
            DataGeneratorSource<RowData> source =
                    new DataGeneratorSource<>(LocalMergeITCase::row, (long) ROWS, rate, Rows.TYPE);
            WatermarkStrategy<RowData> watermarks = WatermarkStrategy.<RowData>forMonotonousTimestamps()
                    .withTimestampAssigner((row, time) -> {
                        String note = row.getString(2).toString();
                        return Long.parseLong(note.substring(0, note.indexOf(' ')));
                    });
            DataStream<RowData> rows = env.fromSource(source, watermarks, "rows");
            new SinkStages(table, new WriteSettings(1), true, false, "user", operator -> Optional.empty())
                    .locallyMerged(rows)
                    .transform("Recorder", Types.LONG, new Recorder())
                    .sinkTo(new DiscardingSink<>());
            env.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS);
        }

        Map<Long, Long> newest = new HashMap<>();
        long out = 0;
        long marks = 0;
        long due = 0;
        for (long[] seen : SEEN) {
            if (seen.length == 2) {
                newest.merge(seen[0], seen[1], Math::max);
                out++;
            } else {
                marks++;
                // Every row up to the watermark is out, itself or as a later one of its key.
                for (; due < ROWS && due <= seen[0]; due++) {
                    assertThat(newest.getOrDefault(due * 7 % KEYS, -1L)).isGreaterThanOrEqualTo(due);
                }
            }
        }
        assertThat(marks).isPositive();
        assertThat(due).isEqualTo(ROWS);
        assertThat(out).isBetween((long) KEYS, ROWS - 1L);
        Map<Long, Long> last = new HashMap<>();
        for (long index = 0; index < ROWS; index++) {
            last.put(index * 7 % KEYS, index);
        }
        assertThat(newest).isEqualTo(last);
    }

    /** It is the end of event time that windows behind wait for. */
    @Test
    void aWatermarkThatComesLateDoesNotReplaceALaterOne() throws Exception {
        StoreTable table = new Warehouse(folder)
                .create("ended", List.of("id"), List.of(), Map.of("bucket", "1", "local-merge-buffer-size", "1 mb"));
        SEEN.clear();
        try (Cluster cluster = new Cluster(2)) {
            StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMinutes(10), 0));
            env.setParallelism(1);
            DataGeneratorSource<RowData> source = new DataGeneratorSource<>(LocalMergeITCase::row, 3L, Rows.TYPE);
            DataStream<RowData> rows = env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
                    .transform("Straggler", Rows.TYPE, new Straggler());
            new SinkStages(table, new WriteSettings(1), true, false, "user", operator -> Optional.empty())
                    .locallyMerged(rows)
                    .transform("Recorder", Types.LONG, new Recorder())
                    .sinkTo(new DiscardingSink<>());
            env.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS);
        }

        assertThat(SEEN.stream().filter(seen -> seen.length == 2)).hasSize(3);
        assertThat(SEEN.stream().filter(seen -> seen.length == 1).map(seen -> seen[0]))
                .containsExactly(Watermark.MAX_WATERMARK.getTimestamp());
    }
}
