/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.Snapshot;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.manifest.ManifestCommittable;
import org.junit.jupiter.api.Test;

/** Listeners that were made for the official sink. */
final class CommitListenersITCase extends OnACluster {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final long END_OF_INPUT = Long.MAX_VALUE;

    private StoreTable table(String name) throws Exception {
        return warehouse.create(name, List.of("id"), List.of(), Map.of("bucket", "2"));
    }

    private static WriteSettings listenedTo(String listeners) {
        return WriteSettings.from(Configuration.fromMap(Map.of(
                "commit.custom-listeners", listeners,
                "sink.parallelism", "2",
                "sink.operator-uid.suffix", "listened")));
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> numbers(
            StreamExecutionEnvironment env, String name, long count, RateLimiterStrategy rate) {
        DataGeneratorSource<RowData> source =
                new DataGeneratorSource<>(index -> Rows.row(index + 1), count, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .setParallelism(1)
                .map(new Feed.Failing(name))
                .uid("feed")
                .setParallelism(1)
                .returns(Rows.TYPE);
    }

    private static void awaitEnd(JobClient client) throws Exception {
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private String commitUser(String name) throws Exception {
        Snapshot latest = warehouse.open(name).snapshotManager().latestSnapshot();
        assertThat(latest).isNotNull();
        return latest.commitUser();
    }

    @Test
    void listenersAreToldOfEveryCommitAcrossFailuresAndOnesThatFailAreLeftBehind() throws Exception {
        String name = "listened";
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofMillis(200), 5));
        Feed.of(name).failuresLeft.set(2);
        PaimonSink.append(
                numbers(env, name, 2_000, RateLimiterStrategy.perCheckpoint(200)),
                table(name),
                listenedTo("test-throws, test-unmakeable,test-records"),
                true);
        awaitEnd(env.executeAsync());

        assertThat(Feed.of(name).failuresLeft).hasValue(0);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 2_000));
        Listener.Seen seen = Listener.Seen.of(name);
        assertThat(seen.identifiers())
                .containsAll(warehouse.commits(name).values())
                .endsWith(END_OF_INPUT);
        assertThat(seen.known)
                .as("what its state has kept, and what it was told since")
                .containsAll(warehouse.commits(name).values());
        assertThat(seen.restored).hasSize(2);
        assertThat(seen.contexts).hasSize(3);
        Committer.Context last = seen.contexts.get(2);
        assertThat(last.commitUser()).isEqualTo(commitUser(name));
        assertThat(last.streamingCheckpointEnabled()).isTrue();
        assertThat(last.isRestored()).isTrue();
        assertThat(last.metricGroup()).isNotNull();
        assertThat(last.tempDirs()).isNotEmpty();
        assertThat(last.getParallelism()).isOne();
        assertThat(seen.closed).hasValue(3);
        assertThat(seen.calls.get()).as("told again after it has failed").isGreaterThan(5);
    }

    @Test
    void oneThatDoesNotComeBackHoldsUpNothingAndIsToldAgainAfterwards() throws Exception {
        String name = "hanging";
        StoreTable table = table(name);
        Listener.Seen seen = Listener.Seen.of(name);
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofHours(1), 0));
        PaimonSink.append(
                numbers(env, name, Long.MAX_VALUE, RateLimiterStrategy.perCheckpoint(50)),
                table,
                listenedTo("test-hangs"),
                true);
        JobClient client = env.executeAsync();
        for (int done = 0; done < 3; done++) {
            long rows = 50L * (done + 1);
            await().atMost(LONG).until(() -> Feed.of(name).passed.get() == rows);
            checkpoint(client);
            await().atMost(LONG).until(() -> warehouse.rows(name).size() == rows);
        }
        String savepoint = client.triggerSavepoint(
                        folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
        assertThat(seen.calls).as("it has come, and not gone").hasValue(1);
        assertThat(seen.told).isEmpty();
        List<Long> commits = List.copyOf(warehouse.commits(name).values());
        assertThat(commits).hasSize(3);
        client.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(LONG).until(cluster::idle);
        assertThat(seen.closed).as("closed once its interruption has ended it").hasValue(1);

        seen.gate.countDown();
        Configuration restored = Jobs.streaming(folder, Duration.ofMillis(100), 0);
        restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        StreamExecutionEnvironment second = cluster.environment(restored);
        PaimonSink.append(
                numbers(second, name, Long.MAX_VALUE, RateLimiterStrategy.perCheckpoint(50)),
                table,
                listenedTo("test-hangs"),
                true);
        client = second.executeAsync();
        await().atMost(LONG).until(() -> seen.identifiers().containsAll(commits));
        client.cancel().get(60, TimeUnit.SECONDS);
    }

    @Test
    void ofABatchJobTheyAreToldOnceItIsCommitted() throws Exception {
        String name = "batch";
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        StreamExecutionEnvironment env = cluster.environment(job);
        PaimonSink.append(
                numbers(env, name, 100, RateLimiterStrategy.noOp()),
                table(name),
                listenedTo("test-throws,test-records"),
                false);
        awaitEnd(env.executeAsync());

        Listener.Seen seen = Listener.Seen.of(name);
        assertThat(warehouse.rows(name)).hasSize(100);
        assertThat(seen.told).hasSize(1);
        ManifestCommittable told = seen.told.get(0);
        assertThat(told.identifier()).isEqualTo(END_OF_INPUT);
        assertThat(told.fileCommittables()).hasSize(2);
        assertThat(seen.calls).hasValue(1);
        assertThat(seen.closed).hasValue(1);
    }

    @Test
    void oneThatIsNotThereIsRefusedBeforeTheJobStarts() throws Exception {
        StoreTable table = table("misspelt");
        StreamExecutionEnvironment env = cluster.environment(Jobs.streaming(folder, Duration.ofSeconds(1), 0));
        DataStream<RowData> rows = numbers(env, "misspelt", 1, RateLimiterStrategy.noOp());
        assertThatThrownBy(() -> PaimonSink.append(rows, table, listenedTo("test-records,test-recods"), true))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Option 'commit.custom-listeners' of table paimon.db.misspelt names the listener"
                        + " 'test-recods', which is not on the class path. There: test-counts, test-hangs, test-records, test-throws,"
                        + " test-unmakeable. Put the jar whose META-INF/services/org.apache.paimon.factories.Factory lists"
                        + " the listener's CommitListenerFactory once into Flink's lib folder or into the job's jars, or"
                        + " correct the option.");
    }
}
