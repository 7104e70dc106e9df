/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.StreamTableScan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Full compactions every few commits, which make the changelog, through failures, a savepoint and a rescale. */
final class ScheduledCompactionITCase extends OnACluster {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final long MANY_ROWS = 20_000;
    private static final Changes CHANGES = new Changes(300, false);

    private StoreTable table(String name, int everyCommits) throws Exception {
        return warehouse.create(
                name,
                List.of("id", "part"),
                List.of("part"),
                Map.of(
                        "bucket", "2",
                        "num-sorted-run.compaction-trigger", "100",
                        "changelog-producer", "full-compaction",
                        "full-compaction.delta-commits", String.valueOf(everyCommits)));
    }

    /** What one makes of a table who takes up all its changes from the first, each of which must fit. */
    private Map<Long, String> followed(String name) throws Exception {
        FileStoreTable table = warehouse.open(name).copy(Map.of("scan.mode", "from-snapshot", "scan.snapshot-id", "1"));
        long end = table.snapshotManager().latestSnapshotId();
        ReadBuilder read = table.newReadBuilder();
        StreamTableScan scan = read.newStreamScan();
        Map<Long, String> rows = new HashMap<>();
        while (scan.checkpoint() == null || scan.checkpoint() <= end) {
            try (var reader = read.newRead().createReader(scan.plan())) {
                reader.forEachRemaining(row -> take(row, rows));
            }
        }
        return rows;
    }

    private static void take(InternalRow row, Map<Long, String> rows) {
        String value = row.getLong(0) + "|" + row.getInt(1) + "|" + row.getString(2);
        switch (row.getRowKind()) {
            case INSERT ->
                assertThat(rows.put(row.getLong(0), value))
                        .as("before %s", value)
                        .isNull();
            case UPDATE_AFTER ->
                assertThat(rows.put(row.getLong(0), value))
                        .as("before %s", value)
                        .isNull();
            case UPDATE_BEFORE, DELETE ->
                assertThat(rows.remove(row.getLong(0))).isEqualTo(value);
        }
    }

    private List<Integer> levels(String name) throws Exception {
        return warehouse.open(name).newSnapshotReader().read().dataSplits().stream()
                .flatMap(split -> split.dataFiles().stream())
                .map(DataFileMeta::level)
                .toList();
    }

    private int top(String name) throws Exception {
        return warehouse.open(name).coreOptions().numLevels() - 1;
    }

    private void assertCompactedWithAWholeChangelog(String name, Collection<String> expected) throws Exception {
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(levels(name)).containsOnly(top(name));
        assertThat(followed(name).values()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "3, 2"})
    void failuresLoseAndRepeatNoChange(int everyCommits, int writers) throws Exception {
        String name = "failed" + everyCommits + writers;
        StoreTable table = table(name, everyCommits);
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(150), 5));
        Feed.of(name).failuresLeft.set(2);
        WriteSettings settings = WriteSettings.from(Configuration.fromMap(
                Map.of("sink.parallelism", "2", "write.max-writers-per-task", String.valueOf(writers))));
        PaimonSink.append(
                CHANGES.stream(env, name, 2_000, RateLimiterStrategy.perCheckpoint(200)), table, settings, true);
        env.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertCompactedWithAWholeChangelog(name, CHANGES.expected(2_000));
    }

    /** Twice 300 keys, then the first of them again and again. */
    private static RowData row(long index) {
        return Rows.row(RowKind.UPDATE_AFTER, index < 600 ? index % 300 : 0, "v" + index);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> rows(StreamExecutionEnvironment env, String name, RateLimiterStrategy rate) {
        DataGeneratorSource<RowData> source =
                new DataGeneratorSource<>(ScheduledCompactionITCase::row, MANY_ROWS, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
                .setParallelism(1)
                .uid("rows")
                .map(new Feed.Failing(name))
                .setParallelism(1)
                .uid("feed")
                .returns(Rows.TYPE);
    }

    /** No compaction is due before the savepoint, and after it most buckets get no row: the restored job owes them one. */
    @ParameterizedTest
    @CsvSource({"1, 2", "4, 1"})
    void aRestoredJobOwesWhatTheOneBeforeItDid(int before, int after) throws Exception {
        String name = "restored" + before + after;
        StoreTable table = table(name, 100_000);
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(150), 0));
        PaimonSink.append(
                rows(env, name, RateLimiterStrategy.perCheckpoint(100)), table, new WriteSettings(before, name), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse.hasSnapshot(name) && Feed.of(name).passed.get() >= 600);
        String savepoint = client.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
        assertThat(levels(name)).containsOnly(0);

        Configuration restored = Jobs.streaming(folder, Duration.ofMillis(150), 0);
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment again = cluster.environment(restored);
        PaimonSink.append(rows(again, name, RateLimiterStrategy.noOp()), table, new WriteSettings(after, name), true);
        again.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        List<String> expected = LongStream.range(0, 300)
                .mapToObj(id -> id + "|" + id % 3 + "|v" + (id == 0 ? MANY_ROWS - 1 : id + 300))
                .toList();
        assertCompactedWithAWholeChangelog(name, expected);
    }
}
