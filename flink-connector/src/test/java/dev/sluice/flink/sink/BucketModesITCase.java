/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each bucket mode whose buckets are assigned by more than a hash, under failures and rescaling, against a plain map. */
final class BucketModesITCase {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static Cluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    /** The tables of these tests. */
    enum Mode {
        DYNAMIC(false),
        DYNAMIC_PARTITIONED(false),
        POSTPONED(false),
        POSTPONED_PARTITIONED(false),
        CROSS_PARTITION(true);

        private final boolean moving;

        Mode(boolean moving) {
            this.moving = moving;
        }

        Changes changes() {
            return new Changes(600, moving);
        }

        StoreTable create(Warehouse warehouse, String name) throws Exception {
            return switch (this) {
                case DYNAMIC ->
                    warehouse.create(
                            name,
                            List.of("id"),
                            List.of(),
                            Map.of("dynamic-bucket.target-row-num", "40", "dynamic-bucket.initial-buckets", "2"));
                case DYNAMIC_PARTITIONED ->
                    warehouse.create(
                            name,
                            List.of("id", "part"),
                            List.of("part"),
                            Map.of("dynamic-bucket.target-row-num", "40", "dynamic-bucket.max-buckets", "3"));
                case POSTPONED -> warehouse.create(name, List.of("id"), List.of(), Map.of("bucket", "-2"));
                case POSTPONED_PARTITIONED ->
                    warehouse.create(name, List.of("id", "part"), List.of("part"), Map.of("bucket", "-2"));
                case CROSS_PARTITION ->
                    warehouse.create(
                            name,
                            List.of("id"),
                            List.of("part"),
                            Map.of("dynamic-bucket.target-row-num", "40", "dynamic-partition-overwrite", "false"));
            };
        }

        boolean postponed() {
            return this == POSTPONED || this == POSTPONED_PARTITIONED;
        }
    }

    /** All rows of a table; of one with postponed buckets only once the statement for it has given them buckets. */
    private List<String> rows(Mode mode, String name) throws Exception {
        if (mode.postponed()) {
            assertThat(warehouse.rows(name)).isEmpty();
            dev.sluice.flink.Warehouse sql = new dev.sluice.flink.Warehouse(folder);
            sql.env().getConfig().set("table.dml-sync", "true");
            sql.rows("CALL sys.compact(`table` => 'db." + name + "')");
        }
        return warehouse.rows(name);
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = new Cluster(8);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    private Configuration streaming() {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(250));
        job.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        job.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
        return job;
    }

    private static void awaitEnd(JobClient client) throws Exception {
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "DYNAMIC, false, EXACTLY_ONCE",
        "DYNAMIC_PARTITIONED, true, EXACTLY_ONCE",
        "DYNAMIC, false, AT_LEAST_ONCE",
        "POSTPONED, true, EXACTLY_ONCE",
        "CROSS_PARTITION, true, EXACTLY_ONCE",
    })
    void failuresLoseAndRepeatNothing(Mode mode, boolean unaligned, CheckpointingMode guarantee) throws Exception {
        String name = "failure_" + mode + guarantee;
        StoreTable table = mode.create(warehouse, name);
        Configuration job = streaming();
        job.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        job.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, guarantee);
        StreamExecutionEnvironment env = cluster.environment(job);
        Feed.of(name).failuresLeft.set(2);
        PaimonSink.append(
                mode.changes().stream(env, name, 3_000, RateLimiterStrategy.perCheckpoint(300)),
                table,
                new WriteSettings(3),
                true);

        awaitEnd(env.executeAsync());

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(rows(mode, name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(3_000));
    }

    @ParameterizedTest
    @CsvSource({"DYNAMIC", "DYNAMIC_PARTITIONED", "CROSS_PARTITION"})
    void severalWritersOfASubtaskLoseAndRepeatNothing(Mode mode) throws Exception {
        String name = "writers_" + mode;
        StoreTable table = mode.create(warehouse, name);
        StreamExecutionEnvironment env = cluster.environment(streaming());
        Feed.of(name).failuresLeft.set(2);
        WriteSettings settings = WriteSettings.from(
                Configuration.fromMap(Map.of("sink.parallelism", "2", "write.max-writers-per-task", "3")));
        PaimonSink.append(
                mode.changes().stream(env, name, 3_000, RateLimiterStrategy.perCheckpoint(300)), table, settings, true);

        awaitEnd(env.executeAsync());

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(rows(mode, name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(3_000));
    }

    @ParameterizedTest
    @CsvSource({
        "DYNAMIC, 1, 2",
        "DYNAMIC_PARTITIONED, 4, 1",
        "POSTPONED, 1, 2",
        "POSTPONED_PARTITIONED, 4, 1",
        "CROSS_PARTITION, 1, 2",
        "CROSS_PARTITION, 4, 1",
    })
    void aSavepointRestoresAtAnotherParallelism(Mode mode, int before, int after) throws Exception {
        String name = "rescale_" + mode + before + after;
        StoreTable table = mode.create(warehouse, name);
        StreamExecutionEnvironment first = cluster.environment(streaming());
        PaimonSink.append(
                mode.changes().stream(first, name, 3_000, RateLimiterStrategy.perSecond(300)),
                table,
                new WriteSettings(before, "test"),
                true);
        JobClient client = first.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse.hasSnapshot(name) && Feed.of(name).passed.get() > 100);
        String savepoint = client.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);

        Configuration restored = streaming();
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment second = cluster.environment(restored);
        PaimonSink.append(
                mode.changes().stream(second, name, 3_000, RateLimiterStrategy.perSecond(3_000)),
                table,
                new WriteSettings(after, "test"),
                true);
        awaitEnd(second.executeAsync());

        assertThat(rows(mode, name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(3_000));
    }

    @Test
    void rowsThatMoveNeedExactlyOnceCheckpoints() throws Exception {
        StoreTable table = Mode.CROSS_PARTITION.create(warehouse, "moving");
        Configuration job = streaming();
        job.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);
        StreamExecutionEnvironment env = cluster.environment(job);
        assertThatThrownBy(() -> PaimonSink.append(
                        Mode.CROSS_PARTITION.changes().stream(env, "moving", 1, RateLimiterStrategy.noOp()),
                        table,
                        new WriteSettings(1),
                        true))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Rows of table paimon.db.moving may move between partitions, and at-least-once checkpoints"
                        + " could commit a row in both. Run: SET 'execution.checkpointing.mode' = 'EXACTLY_ONCE';");
    }

    @ParameterizedTest
    @CsvSource({"true, ''", "false, part"})
    void partsOfATableWhoseRowsMoveAreNotOverwritten(boolean dynamic, String column) throws Exception {
        StoreTable table = warehouse.create(
                "parts",
                List.of("id"),
                List.of("part"),
                Map.of("dynamic-partition-overwrite", String.valueOf(dynamic)));
        StreamExecutionEnvironment env =
                cluster.environment(Configuration.fromMap(Map.of("execution.runtime-mode", "BATCH")));
        Map<String, String> partition = column.isEmpty() ? Map.of() : Map.of(column, "1");
        WriteSettings settings = new WriteSettings(1);
        assertThatThrownBy(() -> PaimonSink.overwrite(
                        Mode.CROSS_PARTITION.changes().stream(env, "parts", 1, RateLimiterStrategy.noOp()),
                        table,
                        settings,
                        partition,
                        OperatorUids.of(table, settings)))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "INSERT OVERWRITE can only replace all of table paimon.db.parts, for a key of its primary key"
                                + " [id] may be in any partition, also in one that would stay. Leave out PARTITION (...) and set"
                                + " 'dynamic-partition-overwrite' = 'false', for example as a hint; or delete the old rows and use"
                                + " INSERT INTO.");
    }

    /** Two jobs after each other: the second must find the keys of the first; then all is replaced, then added to. */
    @ParameterizedTest
    @EnumSource
    void batchJobsFindTheKeysOfEarlierOnes(Mode mode) throws Exception {
        String name = "batch_" + mode;
        StoreTable table = mode.create(warehouse, name);
        for (long count : List.of(700L, 2_000L)) {
            batch(table, name, mode.changes(), count, 3);
            assertThat(warehouse.rows(name))
                    .containsExactlyInAnyOrderElementsOf(mode.changes().expected(count));
        }

        Configuration job = Configuration.fromMap(Map.of("execution.runtime-mode", "BATCH"));
        StreamExecutionEnvironment env = cluster.environment(job);
        WriteSettings settings = new WriteSettings(2);
        PaimonSink.overwrite(
                mode.changes().stream(env, name, 900, RateLimiterStrategy.noOp()),
                table,
                settings,
                Map.of(),
                OperatorUids.of(table, settings));
        env.execute();
        assertThat(warehouse.rows(name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(900));

        batch(table, name, mode.changes(), 1_500, null);
        assertThat(warehouse.rows(name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(1_500));
    }

    /** Rows that stay: first-row keeps the first; the others merge, in the partition where the key was first. */
    @ParameterizedTest
    @CsvSource({
        "first-row, false",
        "first-row, true",
        "partial-update, false",
        "partial-update, true",
        "aggregation, false",
        "aggregation, true"
    })
    void otherMergeEnginesKeepAKeyWhereItIs(String engine, boolean moving) throws Exception {
        String name = "engine_" + engine.replace('-', '_') + moving;
        StoreTable table = warehouse.create(
                name,
                moving ? List.of("id") : List.of("id", "part"),
                List.of("part"),
                Map.of("merge-engine", engine, "changelog-producer", engine.equals("first-row") ? "lookup" : "none"));
        Map<Long, String> expected = new HashMap<>();
        Map<Long, Integer> home = new HashMap<>();
        for (int job = 0; job < 2; job++) {
            List<RowData> rows = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                long id = i % 20;
                int part = moving ? (i / 20 + job) % 3 : (int) id % 3;
                String note = job + "." + i;
                rows.add(GenericRowData.of(id, part, StringData.fromString(note)));
                home.putIfAbsent(id, part);
                String merged = id + "|" + home.get(id) + "|" + note;
                if (engine.equals("first-row")) {
                    expected.putIfAbsent(id, merged);
                } else {
                    expected.put(id, merged);
                }
            }
            StreamExecutionEnvironment env =
                    cluster.environment(Configuration.fromMap(Map.of("execution.runtime-mode", "BATCH")));
            PaimonSink.append(env.fromData(rows, Rows.TYPE), table, new WriteSettings(2), false);
            env.execute();
        }
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(expected.values());
    }

    /** The column's kind is a row's; the one on the row itself says nothing. */
    @ParameterizedTest
    @CsvSource({"BATCH, none", "STREAMING, none", "STREAMING, lookup", "STREAMING, input"})
    void rowsWithTheirKindInAColumnMove(String mode, String producer) throws Exception {
        String name = "kinds_" + mode + producer;
        StoreTable table = warehouse.create(
                name, List.of("id"), List.of("part"), Map.of("rowkind.field", "note", "changelog-producer", producer));
        Map<Long, String> expected = new HashMap<>();
        for (int job = 0; job < 3; job++) {
            List<RowData> rows = new ArrayList<>();
            for (int i = 0; i < 90; i++) {
                long id = i % 30;
                int part = (i / 30 + job) % 3;
                boolean deleted = id % 7 == job && i >= 60;
                String kind = deleted ? "-D" : i % 2 == 0 ? "+I" : "+U";
                rows.add(GenericRowData.ofKind(
                        i % 3 == 0 ? RowKind.DELETE : RowKind.INSERT, id, part, StringData.fromString(kind)));
                if (deleted) {
                    expected.remove(id);
                } else {
                    expected.put(id, id + "|" + part + "|" + kind);
                }
            }
            boolean streaming = mode.equals("STREAMING");
            StreamExecutionEnvironment env = cluster.environment(
                    streaming ? streaming() : Configuration.fromMap(Map.of("execution.runtime-mode", "BATCH")));
            PaimonSink.append(env.fromData(rows, Rows.TYPE), table, new WriteSettings(2), streaming);
            env.execute();
            assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(expected.values());
        }
    }

    /** @param parallelism null to let Flink's adaptive batch scheduler decide */
    private static void batch(StoreTable table, String name, Changes changes, long count, Integer parallelism)
            throws Exception {
        Configuration job = Configuration.fromMap(Map.of("execution.runtime-mode", "BATCH"));
        StreamExecutionEnvironment env = cluster.environment(job);
        if (parallelism == null) {
            env.setParallelism(-1);
        }
        PaimonSink.append(
                changes.stream(env, name, count, RateLimiterStrategy.noOp()),
                table,
                new WriteSettings(parallelism),
                false);
        env.execute();
    }
}
