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
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommitterITCase {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static Cluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        Configuration configuration = new Configuration();
        MetricsSeen.configure(configuration);
        cluster = new Cluster(8, configuration);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    private Configuration job() {
        return Jobs.streaming(folder, Duration.ofMillis(200), 50);
    }

    /** @param rate rows let through per checkpoint */
    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> numbers(StreamExecutionEnvironment env, long from, long count, int rate) {
        RateLimiterStrategy limit = RateLimiterStrategy.perCheckpoint(rate);
        DataGeneratorSource<RowData> source =
                new DataGeneratorSource<>(index -> Rows.row(from + index), count, limit, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .setParallelism(1);
    }

    private static void awaitEnd(JobClient client) throws Exception {
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private String stopWithSavepoint(JobClient client) throws Exception {
        return client.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private static WriteSettings settings(Map<String, String> options) {
        return WriteSettings.from(Configuration.fromMap(options));
    }

    /** Aligned ones: Flink allows no concurrent checkpoints that are not. */
    @Test
    void concurrentCheckpointsAreCommittedInTheirOrder() throws Exception {
        StoreTable table = warehouse.create("concurrent", List.of("id"), List.of(), Map.of("bucket", "2"));
        Configuration job = job();
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        job.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 3);
        StreamExecutionEnvironment env = cluster.environment(job);
        Sabotage.plan("concurrent", new RecoveryITCase.TwicePerTable(Sabotage.Step.BEFORE_RENAME));
        StoreTable failing = Sabotage.table("concurrent", table, warehouse.open("concurrent"));
        PaimonSink.append(numbers(env, 1, 2_000, 100), failing, new WriteSettings(2), true);
        awaitEnd(env.executeAsync());
        assertThat(warehouse.rows("concurrent")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 2_000));
        assertThat(new ArrayList<>(warehouse.commits("concurrent").values()))
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void aSavepointIsTaggedAndAnOldOneIsRefusedWithAdvice() throws Exception {
        StoreTable table = warehouse.create("tagged", List.of("id"), List.of(), Map.of("bucket", "2"));
        WriteSettings settings = settings(Map.of(
                "sink.savepoint.auto-tag", "true", "sink.parallelism", "2", "sink.operator-uid.suffix", "tagged"));
        StreamExecutionEnvironment env = cluster.environment(job());
        PaimonSink.append(numbers(env, 1, 100_000, 50), table, settings, true);
        JobClient client = env.executeAsync();
        await().atMost(LONG).until(() -> warehouse.hasSnapshot("tagged"));
        String old = stopWithSavepoint(client);

        Map<String, Long> tags = new HashMap<>();
        warehouse
                .open("tagged")
                .tagManager()
                .tagObjects()
                .forEach(tag -> tags.put(tag.getValue(), tag.getKey().commitIdentifier()));
        // Without rows of its own a savepoint stands for the snapshot before it.
        long newest =
                warehouse.open("tagged").snapshotManager().latestSnapshot().commitIdentifier();
        assertThat(tags).hasSize(1).containsValue(newest);
        String tag = tags.keySet().iterator().next();
        assertThat(tag).startsWith("savepoint-");
        long savepoint = Long.parseLong(tag.substring("savepoint-".length()));
        assertThat(savepoint).isGreaterThanOrEqualTo(newest);

        Configuration restored = job();
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, old);
        StreamExecutionEnvironment second = cluster.environment(restored);
        PaimonSink.append(numbers(second, 1, 100_000, 50), table, settings, true);
        client = second.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse
                                .open("tagged")
                                .snapshotManager()
                                .latestSnapshot()
                                .commitIdentifier()
                        > savepoint);
        client.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(LONG).until(cluster::idle);
        int rows = warehouse.rows("tagged").size();

        Configuration again = Jobs.streaming(folder, Duration.ofMillis(200), 0);
        again.set(StateRecoveryOptions.SAVEPOINT_PATH, old);
        StreamExecutionEnvironment third = cluster.environment(again);
        PaimonSink.append(numbers(third, 1, 100_000, 50), table, settings, true);
        assertThatThrownBy(() -> awaitEnd(third.executeAsync()))
                .hasStackTraceContaining("Going on from checkpoint " + savepoint + " failed for table paimon.db.tagged")
                .hasStackTraceContaining("the table already holds this job's commits up to checkpoint")
                .hasStackTraceContaining("Restore the job's newest checkpoint or savepoint; or roll the table back");
        assertThat(warehouse.rows("tagged")).hasSize(rows);
    }

    @Test
    void twoJobsThatCompactTheSameTableBothFinish() throws Exception {
        StoreTable table = warehouse.create(
                "shared",
                List.of("id"),
                List.of(),
                Map.of("bucket", "1", "num-sorted-run.compaction-trigger", "2", "commit.max-retries", "50"));
        List<JobClient> clients = new ArrayList<>();
        for (long from : List.of(1L, 1_001L)) {
            StreamExecutionEnvironment env = cluster.environment(job());
            PaimonSink.append(numbers(env, from, 1_000, 100), table, new WriteSettings(1), true);
            clients.add(env.executeAsync());
        }
        for (JobClient client : clients) {
            awaitEnd(client);
        }
        assertThat(warehouse.rows("shared")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 2_000));
    }

    @Test
    void aJobThatStartsAgainWithoutStateWritesKeysOnce() throws Exception {
        StoreTable table = warehouse.create("again", List.of("id"), List.of(), Map.of("bucket", "2"));
        StreamExecutionEnvironment env = cluster.environment(job());
        PaimonSink.append(numbers(env, 1, 100_000, 100), table, new WriteSettings(2), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG).until(() -> warehouse.hasSnapshot("again"));
        client.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(LONG).until(cluster::idle);

        StreamExecutionEnvironment second = cluster.environment(job());
        PaimonSink.append(numbers(second, 1, 1_000, 500), table, new WriteSettings(2), true);
        awaitEnd(second.executeAsync());
        assertThat(warehouse.rows("again")).containsAll(Rows.expected(1, 1_000)).doesNotHaveDuplicates();
    }

    @Test
    void theMetricsOfTheCommitterSayWhatIsInTheTable() throws Exception {
        StoreTable table = warehouse.create("measured", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env = cluster.environment(job());
        PaimonSink.append(numbers(env, 1, Long.MAX_VALUE, 100), table, new WriteSettings(1), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG).untilAsserted(() -> {
            long snapshots = number("commitSnapshots");
            assertThat(snapshots).isGreaterThanOrEqualTo(3);
            assertThat(number("lastCommittedSnapshotId")).isGreaterThanOrEqualTo(snapshots);
            assertThat(number("successfulCommittables")).isGreaterThanOrEqualTo(3);
            assertThat(number("lastCommitRows")).isEqualTo(100);
            assertThat(number("lastCommitFiles")).isEqualTo(1);
        });
        assertThat(number("commitConflicts")).isZero();
        assertThat(number("failedCommittables")).isZero();
        assertThat(number("pendingCheckpoints")).isBetween(0L, 11L);
        assertThat(number("pendingCommittables")).isBetween(0L, 11L);
        assertThat(number("lastCommitDuration")).isNotNegative();
        client.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(LONG).until(cluster::idle);
        assertThat(warehouse.rows("measured")).hasSizeGreaterThanOrEqualTo(300);
    }

    private static long number(String metric) {
        return MetricsSeen.sum("Committer : measured", metric);
    }

    @Test
    void aTableThatIsDroppedMeanwhileFailsTheJobWithItsName() throws Exception {
        StoreTable table = warehouse.create("dropped", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(200), 0));
        PaimonSink.append(numbers(env, 1, Long.MAX_VALUE, 100), table, new WriteSettings(1), true);
        JobClient client = env.executeAsync();
        await().atMost(LONG).until(() -> warehouse.hasSnapshot("dropped"));
        warehouse.drop("dropped");
        assertThatThrownBy(() -> awaitEnd(client))
                .satisfies(e -> assertThat(Stream.iterate((Throwable) e, t -> t != null, Throwable::getCause)
                                .map(Throwable::getMessage))
                        .anyMatch(message -> message.contains("failed for table paimon.db.dropped")));
    }

    @Test
    void theEndOfTheInputSetsItsWatermarkAndMarksPartitions() throws Exception {
        StoreTable table =
                warehouse.create("ended", List.of(), List.of("part"), Map.of("partition.end-input-to-done", "true"));
        StreamExecutionEnvironment env = cluster.environment(job());
        PaimonSink.append(
                numbers(env, 1, 300, 100),
                table,
                settings(Map.of("end-input.watermark", "1700000000000", "sink.parallelism", "1")),
                true);
        awaitEnd(env.executeAsync());
        assertThat(warehouse.rows("ended")).hasSize(300);
        assertThat(warehouse.open("ended").snapshotManager().latestSnapshot().watermark())
                .isEqualTo(1_700_000_000_000L);
        for (int part = 0; part < 3; part++) {
            assertThat(warehouse.pathOf("ended").resolve("part=" + part).resolve("_SUCCESS"))
                    .exists();
        }
    }
}
