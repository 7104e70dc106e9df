/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that ends at each step of a commit, twice, and goes on. */
final class RecoveryITCase extends OnACluster {

    private static final long ROWS = 1_400;
    private static final long KEYS = 300;

    /** Strikes on every second chance, in one attempt after another. */
    static final class TwicePerTable implements Sabotage.Saboteur {
        private final Sabotage.Step step;
        private int chances;
        private int strikes;

        TwicePerTable(Sabotage.Step step) {
            this.step = step;
        }

        @Override
        public synchronized boolean strikes(Sabotage.Step at, String what) {
            if (at != step || ++chances % 2 != 0 || strikes == 2) {
                return false;
            }
            strikes++;
            return true;
        }

        synchronized int count() {
            return strikes;
        }
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> changes(StreamExecutionEnvironment env, String name) {
        RateLimiterStrategy rate = RateLimiterStrategy.perCheckpoint(200);
        DataGeneratorSource<RowData> source = new DataGeneratorSource<>(index -> change(index), ROWS, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "changes")
                .uid("source " + name)
                .setParallelism(1)
                .map(new Sabotage.Gate<RowData>(name))
                .uid("gate " + name)
                .setParallelism(1)
                .returns(Rows.TYPE);
    }

    /** Each key is written, changed and, every seventh time, deleted. */
    private static RowData change(long index) {
        long key = index % KEYS;
        return index % 7 == 0
                ? Rows.row(RowKind.DELETE, key, "gone")
                : Rows.row(RowKind.UPDATE_AFTER, key, "n" + index);
    }

    private static List<String> expectedByKey() {
        Map<Long, String> model = new HashMap<>();
        for (long index = 0; index < ROWS; index++) {
            long key = index % KEYS;
            if (index % 7 == 0) {
                model.remove(key);
            } else {
                model.put(key, key + "|" + key % 3 + "|n" + index);
            }
        }
        return List.copyOf(model.values());
    }

    @ParameterizedTest
    @EnumSource(Sabotage.Step.class)
    void nothingIsLostOrRepeatedWhereverTheJobEnds(Sabotage.Step step) throws Exception {
        String keyed = "keyed_" + step;
        String append = "append_" + step;
        Map<String, TwicePerTable> saboteurs = new HashMap<>();
        for (String name : List.of(keyed, append)) {
            saboteurs.put(name, new TwicePerTable(step));
            Sabotage.plan(name, saboteurs.get(name));
        }
        StoreTable keyedTable = warehouse.create(
                keyed, List.of("id"), List.of(), Map.of("bucket", "2", "changelog-producer", "lookup"));
        StoreTable appendTable = warehouse.create(append, List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env =
                cluster.environment(Jobs.streaming(folder, Duration.ofMillis(150), Integer.MAX_VALUE));

        attach(changes(env, keyed), keyed, keyedTable);
        attach(changes(env, append).filter(row -> row.getRowKind() != RowKind.DELETE), append, appendTable);
        env.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS);

        saboteurs.forEach(
                (name, saboteur) -> assertThat(saboteur.count()).as(name).isPositive());
        assertThat(warehouse.rows(keyed)).containsExactlyInAnyOrderElementsOf(expectedByKey());
        List<String> all = new ArrayList<>();
        for (long index = 0; index < ROWS; index++) {
            if (index % 7 != 0) {
                all.add(index % KEYS + "|" + index % KEYS % 3 + "|n" + index);
            }
        }
        assertThat(warehouse.rows(append)).containsExactlyInAnyOrderElementsOf(all);
        for (String name : List.of(keyed, append)) {
            assertThat(new ArrayList<>(warehouse.commits(name).values()))
                    .as(name)
                    .doesNotHaveDuplicates()
                    .isSorted();
            Set<String> users = new HashSet<>();
            warehouse.open(name).snapshotManager().snapshots().forEachRemaining(one -> users.add(one.commitUser()));
            assertThat(users).as(name).hasSize(1);
        }
    }

    /** The checkpoint that is restored lacks its commits, and each new writer gets other buckets than an old one had. */
    @ParameterizedTest
    @CsvSource({"1, 2", "4, 1", "2, 3"})
    void whatACheckpointLacksIsCommittedAtAnotherParallelism(int before, int after) throws Exception {
        String name = "rescaled" + before + after;
        AtomicInteger commits = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean(true);
        Sabotage.plan(
                name,
                (step, what) -> step == Sabotage.Step.BEFORE_RENAME && broken.get() && commits.incrementAndGet() > 2);
        StoreTable table =
                warehouse.create(name, List.of("id"), List.of(), Map.of("bucket", "5", "changelog-producer", "lookup"));
        Configuration first = Jobs.streaming(folder, Duration.ofMillis(100), 0);
        first.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        StreamExecutionEnvironment env = cluster.environment(first);
        attach(changes(env, name), name, table, before);
        assertThatThrownBy(() -> env.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS))
                .hasStackTraceContaining("the test ends the task BEFORE_RENAME");
        int visible = warehouse.rows(name).size();

        broken.set(false);
        Configuration second = Jobs.streaming(folder, Duration.ofMillis(100), 0);
        second.set(StateRecoveryOptions.SAVEPOINT_PATH, newestCheckpoint());
        StreamExecutionEnvironment again = cluster.environment(second);
        attach(changes(again, name), name, table, after);
        again.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS);
        assertThat(visible).isLessThan(expectedByKey().size());
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(expectedByKey());
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

    private void attach(DataStream<RowData> rows, String name, StoreTable table) throws Exception {
        attach(rows, name, table, 2);
    }

    private void attach(DataStream<RowData> rows, String name, StoreTable table, int parallelism) throws Exception {
        StoreTable failing = Sabotage.table(name, table, warehouse.open(name));
        WriteSettings settings = new WriteSettings(parallelism, name);
        new SinkTopology(
                        failing, settings, true, null, Sabotage.opener(name, failing), OperatorUids.of(table, settings))
                .attachTo(rows);
    }
}
