/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class StreamingWriteITCase extends OnACluster {

    private static final Duration LONG = Duration.ofSeconds(90);

    private Configuration job(Duration checkpointInterval) {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        job.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        job.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
        return job;
    }

    private StoreTable create(String kind, String name) throws Exception {
        return switch (kind) {
            case "append" -> warehouse.create(name, List.of(), List.of(), Map.of());
            case "buckets" -> warehouse.create(name, List.of(), List.of(), Map.of("bucket", "3", "bucket-key", "id"));
            case "keyed" ->
                warehouse.create(
                        name,
                        List.of("id", "part"),
                        List.of("part"),
                        Map.of("bucket", "2", "changelog-producer", "lookup"));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> numbers(
            StreamExecutionEnvironment env, String name, long count, RateLimiterStrategy rate) {
        DataGeneratorSource<RowData> source =
                new DataGeneratorSource<>(index -> Rows.row(index + 1), count, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .map(new Feed.Failing(name))
                .uid("feed")
                .returns(Rows.TYPE);
    }

    private static void awaitEnd(JobClient client) throws Exception {
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"append", "buckets", "keyed"})
    void rowsBecomeVisibleWithTheCheckpointThatCoversThem(String kind) throws Exception {
        String name = "visible_" + kind;
        StoreTable table = create(kind, name);
        StreamExecutionEnvironment env = cluster.environment(job(Duration.ofHours(1)));
        env.setParallelism(1);
        DataStream<RowData> rows = numbers(env, name, Long.MAX_VALUE, RateLimiterStrategy.perCheckpoint(100));
        PaimonSink.append(rows, table, new WriteSettings(2), true);
        JobClient client = env.executeAsync();

        for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
            long covered = 100L * checkpoint;
            await().atMost(LONG).until(() -> Feed.of(name).passed.get() == covered);
            assertThat(warehouse.rows(name)).hasSize((int) covered - 100);

            checkpoint(client);
            await().atMost(LONG).until(() -> warehouse.rows(name).size() == covered);
            assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, covered));
        }
        client.cancel().get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"append, false", "buckets, false", "keyed, false", "keyed, true", "append, true"})
    void aFailureInTheMiddleLosesAndRepeatsNothing(String kind, boolean unaligned) throws Exception {
        String name = "failure_" + kind + unaligned;
        StoreTable table = create(kind, name);
        Configuration job = job(Duration.ofMillis(200));
        job.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        StreamExecutionEnvironment env = cluster.environment(job);
        Feed.of(name).failuresLeft.set(2);
        DataStream<RowData> rows = numbers(env, name, 6_000, RateLimiterStrategy.perSecond(3_000));
        PaimonSink.append(rows, table, new WriteSettings(3), true);

        awaitEnd(env.executeAsync());

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 6_000));
        assertEveryCheckpointIsCommittedOnce(name);
    }

    @ParameterizedTest
    @EnumSource(value = FailingCommitter.Step.class, mode = EnumSource.Mode.EXCLUDE, names = "BATCH")
    void aFailureAroundACommitNeitherLosesNorRepeatsIt(FailingCommitter.Step step) throws Exception {
        for (String kind : List.of("append", "keyed")) {
            String name = "commit_" + kind + step;
            StoreTable table = create(kind, name);
            StreamExecutionEnvironment env = cluster.environment(job(Duration.ofMillis(300)));
            DataStream<RowData> rows = numbers(env, name, 3_000, RateLimiterStrategy.perSecond(3_000));
            WriteSettings settings = new WriteSettings(2);
            new SinkTopology(
                            table,
                            settings,
                            true,
                            null,
                            FailingCommitter.opener(table, step),
                            OperatorUids.of(table, settings))
                    .attachTo(rows);

            awaitEnd(env.executeAsync());

            assertThat(FailingCommitter.failures(table, step)).isPositive();
            assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 3_000));
            assertEveryCheckpointIsCommittedOnce(name);
        }
    }

    @Test
    void aFailureOfTheVeryLastCommitIsMadeUpFor() throws Exception {
        for (String kind : List.of("append", "keyed")) {
            String name = "last_" + kind;
            StoreTable table = create(kind, name);
            StreamExecutionEnvironment env = cluster.environment(job(Duration.ofHours(1)));
            DataStream<RowData> rows = numbers(env, name, 500, RateLimiterStrategy.noOp());
            WriteSettings settings = new WriteSettings(2);
            FailingCommitter.Step step = FailingCommitter.Step.BEFORE_COMMIT;
            new SinkTopology(
                            table,
                            settings,
                            true,
                            null,
                            FailingCommitter.opener(table, step),
                            OperatorUids.of(table, settings))
                    .attachTo(rows);

            awaitEnd(env.executeAsync());

            assertThat(FailingCommitter.failures(table, step)).isOne();
            assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 500));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "append, false, EXACTLY_ONCE",
        "append, true, EXACTLY_ONCE",
        "keyed, false, EXACTLY_ONCE",
        "keyed, true, EXACTLY_ONCE",
        "keyed, false, AT_LEAST_ONCE",
        "keyed, true, AT_LEAST_ONCE",
    })
    void inputsThatEndAtDifferentTimesAreCommittedWhole(String kind, boolean failBetween, CheckpointingMode mode)
            throws Exception {
        String name = "ends_" + kind + failBetween + mode;
        StoreTable table = create(kind, name);
        Configuration job = job(Duration.ofMillis(200));
        job.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, mode);
        StreamExecutionEnvironment env = cluster.environment(job);
        DataStream<RowData> rows = numbers(env, name, 1_000, new Feed.Gated(name));
        PaimonSink.append(rows, table, new WriteSettings(null), true);
        JobClient client = env.executeAsync();

        // The first reader has come to its end; its last rows do not wait for the other one's.
        await().atMost(LONG).until(() -> warehouse.rows(name).size() == 500);
        Feed.of(name).failuresLeft.set(failBetween ? 1 : 0);
        Feed.of(name).gate.complete(null);
        awaitEnd(client);

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1_000));
        assertEveryCheckpointIsCommittedOnce(name);
    }

    @ParameterizedTest
    @CsvSource({"append, 1, 2", "buckets, 4, 1", "keyed, 1, 3", "keyed, 4, 1"})
    void aSavepointRestoresAtAnotherParallelism(String kind, int before, int after) throws Exception {
        String name = "rescale_" + kind + before + after;
        StoreTable table = create(kind, name);
        StreamExecutionEnvironment first = cluster.environment(job(Duration.ofMillis(300)));
        first.setParallelism(before);
        // Slow enough that the job is still at work when the savepoint is taken, whatever the machine does meanwhile.
        sinkOfFourThousand(first, table, name, before, RateLimiterStrategy.perSecond(400));
        JobClient client = first.executeAsync();
        await().atMost(LONG)
                .until(() -> warehouse.hasSnapshot(name) && Feed.of(name).passed.get() > 100);
        String savepoint = client.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
        int rowsBefore = warehouse.rows(name).size();
        assertThat(rowsBefore).isBetween(1, 3_999);

        Configuration restored = job(Duration.ofMillis(300));
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment second = cluster.environment(restored);
        second.setParallelism(after);
        sinkOfFourThousand(second, table, name, after, RateLimiterStrategy.perSecond(3_000));
        awaitEnd(second.executeAsync());

        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 4_000));
        assertEveryCheckpointIsCommittedOnce(name);
    }

    @SuppressWarnings("rawtypes") // as in numbers
    private static void sinkOfFourThousand(
            StreamExecutionEnvironment env, StoreTable table, String name, int parallelism, RateLimiterStrategy rate) {
        DataStream<RowData> rows = numbers(env, name, 4_000, rate);
        PaimonSink.append(rows, table, new WriteSettings(parallelism, "test"), true);
    }

    @Test
    void anIdleJobIsRestoredAfterItsOwnSnapshotsHaveExpired() throws Exception {
        String name = "idle";
        StoreTable table = create("keyed", name);
        StreamExecutionEnvironment first = cluster.environment(job(Duration.ofHours(1)));
        PaimonSink.append(numbers(first, name, 1_000, new Feed.Gated(name)), table, new WriteSettings(2, "idle"), true);
        JobClient client = first.executeAsync();
        // One reader's rows pass, the other's are held back.
        await().atMost(LONG).until(() -> Feed.of(name).passed.get() == 500);
        checkpoint(client);
        await().atMost(LONG).until(() -> warehouse.rows(name).size() == 500);
        checkpoint(client);
        String savepoint = client.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);

        warehouse.expireAllButOneSnapshotOfAnotherJob(name);
        Feed.of(name).gate.complete(null);
        Configuration restored = job(Duration.ofMillis(300));
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment second = cluster.environment(restored);
        PaimonSink.append(
                numbers(second, name, 1_000, new Feed.Gated(name)), table, new WriteSettings(2, "idle"), true);
        awaitEnd(second.executeAsync());

        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1_000));
    }

    @Test
    void atLeastOnceLosesNoRow() throws Exception {
        String name = "at_least_once";
        StoreTable table = create("keyed", name);
        Configuration job = job(Duration.ofMillis(200));
        job.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.AT_LEAST_ONCE);
        StreamExecutionEnvironment env = cluster.environment(job);
        Feed.of(name).failuresLeft.set(1);
        PaimonSink.append(
                numbers(env, name, 4_000, RateLimiterStrategy.perSecond(3_000)), table, new WriteSettings(2), true);

        awaitEnd(env.executeAsync());

        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 4_000));
    }

    /** One commit user over all restarts, and no checkpoint twice. */
    private void assertEveryCheckpointIsCommittedOnce(String name) throws Exception {
        assertThat(new ArrayList<>(warehouse.commits(name).values()))
                .doesNotHaveDuplicates()
                .isSorted();
        Set<String> users = new HashSet<>();
        warehouse.open(name).snapshotManager().snapshots().forEachRemaining(one -> users.add(one.commitUser()));
        assertThat(users).hasSize(1);
    }
}
