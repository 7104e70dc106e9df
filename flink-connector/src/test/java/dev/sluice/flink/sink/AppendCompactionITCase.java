/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.option.WriteOptions;
import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.paimon.Snapshot;
import org.apache.paimon.io.DataFileMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small files of tables without buckets, merged beside the writers; and rows that are clustered on their way to them. */
final class AppendCompactionITCase extends OnACluster {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final int PER_CHECKPOINT = 20;
    private static final Map<String, String> MERGED_BY_THREES = Map.of("compaction.min.file-num", "3");

    /** Holds the last row, and so the end of the input, until the test opens the gate. */
    @SuppressWarnings("rawtypes") // generic from Flink 2.1 on only
    private record Held(String name) implements RateLimiterStrategy {
        @Override
        public RateLimiter<?> createRateLimiter(int parallelism) {
            CompletableFuture<Void> gate = Feed.of(name).gate;
            return permits -> gate;
        }
    }

    /** Rows 1 to count, some with each checkpoint, and then one more when the gate opens. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // as in StreamingWriteITCase
    private static DataStream<RowData> rows(StreamExecutionEnvironment env, String name, long count) {
        RateLimiterStrategy rate = RateLimiterStrategy.perCheckpoint(PER_CHECKPOINT);
        RateLimiterStrategy held = new Held(name);
        DataGeneratorSource<RowData> many =
                new DataGeneratorSource<>(index -> Rows.row(index + 1), count, rate, Rows.TYPE);
        DataGeneratorSource<RowData> last =
                new DataGeneratorSource<>(index -> Rows.row(count + 1), 1L, held, Rows.TYPE);
        DataStream<RowData> first = env.fromSource(many, WatermarkStrategy.noWatermarks(), "many")
                .uid("many")
                .setParallelism(1)
                .map(new Feed.Failing(name))
                .uid("feed")
                .setParallelism(1)
                .returns(Rows.TYPE);
        return first.union(env.fromSource(last, WatermarkStrategy.noWatermarks(), "last")
                .uid("last")
                .setParallelism(1));
    }

    private List<DataFileMeta> files(String name) throws Exception {
        return warehouse.open(name).newSnapshotReader().read().dataSplits().stream()
                .flatMap(split -> split.dataFiles().stream())
                .toList();
    }

    private long snapshots(String name, Snapshot.CommitKind kind) throws Exception {
        long count = 0;
        for (var all = warehouse.open(name).snapshotManager().snapshots(); all.hasNext(); ) {
            count += all.next().commitKind() == kind ? 1 : 0;
        }
        return count;
    }

    @Test
    void manySmallCommitsEndInFewFilesThroughFailuresAndARestart() throws Exception {
        String name = "merged";
        StoreTable table = warehouse.create(name, List.of(), List.of(), MERGED_BY_THREES);
        Configuration first = Jobs.streaming(folder, Duration.ofMillis(100), 5);
        first.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        Feed.of(name).failuresLeft.set(2);
        StreamExecutionEnvironment env = cluster.environment(first);
        PaimonSink.append(rows(env, name, 500), table, new WriteSettings(2, name), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse.hasSnapshot(name)
                        && warehouse.rows(name).size() >= 200
                        && snapshots(name, Snapshot.CommitKind.COMPACT) > 0);
        client.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(LONG).until(cluster::idle);

        Configuration second = Jobs.streaming(folder, Duration.ofMillis(100), 0);
        second.set(StateRecoveryOptions.SAVEPOINT_PATH, newestCheckpoint());
        StreamExecutionEnvironment again = cluster.environment(second);
        PaimonSink.append(rows(again, name, 500), table, new WriteSettings(2, name), true);
        JobClient restarted = again.executeAsync();
        // Checkpoints go on while the last row is held, so that what the last ones left is merged, too.
        await().atMost(LONG)
                .until(() -> warehouse.rows(name).size() == 500 && files(name).size() <= 2);
        Feed.of(name).gate.complete(null);
        restarted.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 501));
        assertThat(snapshots(name, Snapshot.CommitKind.APPEND)).isGreaterThanOrEqualTo(500 / PER_CHECKPOINT / 2);
    }

    @Test
    void filesOfEachPartitionAreMergedWhereWritersNumberOne() throws Exception {
        String name = "by_partition";
        StoreTable table = warehouse.create(name, List.of(), List.of("part"), MERGED_BY_THREES);
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(100), 0));
        PaimonSink.append(rows(env, name, 200), table, new WriteSettings(1), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse.hasSnapshot(name)
                        && warehouse.rows(name).size() == 200
                        && files(name).size() <= 6);
        Feed.of(name).gate.complete(null);
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 201));
    }

    @Test
    void aWriteOnlyTableKeepsItsSmallFiles() throws Exception {
        String name = "write_only";
        StoreTable table = warehouse.create(
                name, List.of(), List.of(), Map.of("compaction.min.file-num", "2", "write-only", "true"));
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(100), 0));
        Feed.of(name).gate.complete(null);
        PaimonSink.append(rows(env, name, 100), table, new WriteSettings(1), true);
        env.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 101));
        assertThat(snapshots(name, Snapshot.CommitKind.COMPACT)).isZero();
        assertThat(files(name)).hasSizeGreaterThan(2);
    }

    /** Each merges what the other does; a result that comes second is dropped and the job goes on. */
    @Test
    void twoSinksOfOneTableDoNotEndEachOther() throws Exception {
        String name = "twice";
        StoreTable table = warehouse.create(name, List.of(), List.of(), Map.of("compaction.min.file-num", "2"));
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(100), 0));
        Feed.of(name).gate.complete(null);
        DataStream<RowData> rows = rows(env, name, 300);
        PaimonSink.append(rows.filter(row -> row.getLong(0) % 2 == 0), table, new WriteSettings(1), true);
        PaimonSink.append(rows.filter(row -> row.getLong(0) % 2 != 0), table, new WriteSettings(1), true);
        env.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 301));
    }

    private static Configuration batch() {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        return job;
    }

    private static WriteSettings with(Configuration options, int parallelism) {
        options.set(WriteOptions.SINK_PARALLELISM, parallelism);
        return WriteSettings.from(options);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchJobMergesItsOwnSmallFilesIfAskedTo(boolean asked) throws Exception {
        String name = "precommit_" + asked;
        StoreTable table = warehouse.create(name, List.of(), List.of("part"), Map.of());
        Configuration options = new Configuration();
        options.set(WriteOptions.PRECOMMIT_COMPACT, asked);
        StreamExecutionEnvironment env = cluster.environment(batch());
        PaimonSink.append(
                env.fromSequence(1, 3_000).map(Rows::row).returns(Rows.TYPE).rebalance(),
                table,
                with(options, 2),
                false);
        env.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);

        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 3_000));
        assertThat(files(name)).hasSize(asked ? 3 : 6);
        assertThat(dataFilesOnDisk(name)).isEqualTo(asked ? 3 : 6);
        assertThat(warehouse.open(name).snapshotManager().snapshotCount()).isOne();
    }

    private long dataFilesOnDisk(String name) throws IOException {
        try (Stream<Path> all = Files.walk(warehouse.pathOf(name))) {
            return all.filter(file -> file.getFileName().toString().startsWith("data-"))
                    .count();
        }
    }

    /** 64 times 64 points in an order that has nothing to do with their place. */
    private static DataStream<RowData> points(StreamExecutionEnvironment env) {
        return env.fromSequence(0, 4_095)
                .map(index -> {
                    long point = index * 7_919 % 4_096;
                    return (RowData) GenericRowData.of(id(point), part(point), StringData.fromString("p" + point));
                })
                .returns(Rows.TYPE);
    }

    private static long id(long point) {
        return point / 64;
    }

    private static int part(long point) {
        return (int) (point % 64);
    }

    private void writePoints(StoreTable table, Configuration options) throws Exception {
        StreamExecutionEnvironment env = cluster.environment(batch());
        PaimonSink.append(points(env), table, with(options, 4), false);
        env.executeAsync().getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
        List<String> expected = IntStream.range(0, 4_096)
                .mapToObj(point -> id(point) + "|" + part(point) + "|p" + point)
                .toList();
        assertThat(warehouse.rows(table.name().substring("paimon.db.".length())))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static long leastId(DataFileMeta file) {
        return file.valueStats().minValues().getLong(0);
    }

    private static long mostId(DataFileMeta file) {
        return file.valueStats().maxValues().getLong(0);
    }

    private static long leastPart(DataFileMeta file) {
        return file.valueStats().minValues().getInt(1);
    }

    @Test
    void oneClusteringColumnCutsFilesIntoRanges() throws Exception {
        StoreTable table = warehouse.create("ranges", List.of(), List.of(), Map.of("clustering.columns", "id"));
        writePoints(table, new Configuration());
        List<DataFileMeta> files = files("ranges").stream()
                .sorted(Comparator.comparingLong(AppendCompactionITCase::leastId))
                .toList();
        assertThat(files).hasSize(4);
        for (int i = 1; i < files.size(); i++) {
            // A value that a cut falls on may be on both sides of it.
            assertThat(leastId(files.get(i))).isGreaterThanOrEqualTo(mostId(files.get(i - 1)));
        }
        List<String> rows = warehouse.rows("ranges");
        assertThat(rows.stream()
                        .mapToLong(row -> Long.parseLong(row.substring(0, row.indexOf('|'))))
                        .toArray())
                .as("rows of each file are sorted, and so are all when files are read by their ranges")
                .satisfies(ids -> assertThat(descents(ids)).isLessThan(4));
    }

    private static int descents(long[] values) {
        int count = 0;
        for (int i = 1; i < values.length; i++) {
            count += values[i] < values[i - 1] ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "zorder", "hilbert"})
    void severalClusteringColumnsAllSkipFiles(String strategy) throws Exception {
        String name = "curve_" + strategy;
        StoreTable table = warehouse.create(
                name, List.of(), List.of(), Map.of("clustering.columns", "id,part", "clustering.strategy", strategy));
        Configuration options = new Configuration();
        options.set(WriteOptions.CLUSTERING_SAMPLE_FACTOR, 400);
        writePoints(table, options);
        assertThat(files(name)).hasSize(4);
        // A quarter of both curves is the one of high values of both columns.
        assertThat(files(name)).anySatisfy(file -> {
            assertThat(leastId(file)).isPositive();
            assertThat(leastPart(file)).isPositive();
        });
    }

    @Test
    void rowsOfARangeAreNotSortedIfThatIsSwitchedOff() throws Exception {
        StoreTable table = warehouse.create("unsorted", List.of(), List.of(), Map.of("clustering.columns", "id"));
        Configuration options = new Configuration();
        options.set(WriteOptions.CLUSTERING_SORT_IN_CLUSTER, false);
        writePoints(table, options);
        List<DataFileMeta> files = files("unsorted");
        assertThat(files).hasSize(4);
        assertThat(files)
                .allSatisfy(file -> assertThat(mostId(file) - leastId(file)).isLessThan(id(32 * 64)));
        assertThat(descents(warehouse.rows("unsorted").stream()
                        .mapToLong(row -> Long.parseLong(row.substring(0, row.indexOf('|'))))
                        .toArray()))
                .isGreaterThan(100);
    }

    @Test
    void aColumnThatTheTableLacksIsRefused() throws Exception {
        StoreTable table = warehouse.create("wrong", List.of(), List.of(), Map.of("clustering.columns", "id,gone"));
        StreamExecutionEnvironment env = cluster.environment(batch());
        assertThatThrownBy(() -> PaimonSink.append(points(env), table, new WriteSettings(2), false))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "'clustering.columns' of table paimon.db.wrong names column 'gone', which the table does not"
                                + " have. Its columns are [id, part, note]. Correct the option, or reset it to write without"
                                + " clustering.");
    }

    private String newestCheckpoint() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("checkpoints"))) {
            return files.filter(file -> file.getFileName().toString().equals("_metadata"))
                    .map(Path::getParent)
                    .max(Comparator.comparingInt(checkpoint ->
                            Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()))))
                    .orElseThrow()
                    .toUri()
                    .toString();
        }
    }
}
