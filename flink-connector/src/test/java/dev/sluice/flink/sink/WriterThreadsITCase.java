/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subtasks that write with several threads, {@code write.max-writers-per-task}. */
final class WriterThreadsITCase {

    private static Cluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        Configuration configuration = new Configuration();
        MetricsSeen.configure(configuration);
        cluster = new Cluster(4, configuration);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    private static WriteSettings settings(int writers, String... keysAndValues) {
        Configuration options = new Configuration();
        options.setString("write.max-writers-per-task", String.valueOf(writers));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.setString(keysAndValues[i], keysAndValues[i + 1]);
        }
        return WriteSettings.from(options);
    }

    private static Configuration job(RuntimeExecutionMode mode) {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, mode);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
        return job;
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static DataStream<RowData> numbers(
            StreamExecutionEnvironment env, String name, long count, RateLimiterStrategy rate) {
        DataGeneratorSource<RowData> source =
                new DataGeneratorSource<>(index -> Rows.row(index + 1), count, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "numbers")
                .map(new Feed.Failing(name))
                .returns(Rows.TYPE);
    }

    @ParameterizedTest
    @CsvSource({"keyed, false", "append, false", "keyed, true"})
    void failuresLoseAndRepeatNothing(String kind, boolean managed) throws Exception {
        String name = "threads_" + kind + managed;
        StoreTable table = kind.equals("keyed")
                ? warehouse.create(name, List.of("id", "part"), List.of("part"), Map.of("bucket", "4"))
                : warehouse.create(name, List.of(), List.of("part"), Map.of());
        StreamExecutionEnvironment env = cluster.environment(job(RuntimeExecutionMode.STREAMING));
        Feed.of(name).failuresLeft.set(2);
        WriteSettings settings = settings(3, "sink.use-managed-memory-allocator", String.valueOf(managed));
        PaimonSink.append(numbers(env, name, 4_000, RateLimiterStrategy.perSecond(2_000)), table, settings, true);

        env.executeAsync().getJobExecutionResult().get(90, TimeUnit.SECONDS);

        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 4_000));
        assertThat(threads(name)).isEmpty();
    }

    @Test
    void theWritersOfASubtaskShareTheBuffer() throws Exception {
        StoreTable table = warehouse.create(
                "shared_buffer",
                List.of("id"),
                List.of(),
                Map.of("bucket", "8", "write-buffer-size", "12 mb", "write-only", "true"));
        StreamExecutionEnvironment env = cluster.environment(job(RuntimeExecutionMode.BATCH));
        PaimonSink.append(
                numbers(env, "shared_buffer", 20_000, RateLimiterStrategy.noOp()),
                table,
                settings(4, "sink.parallelism", "2"),
                false);
        env.execute();

        assertThat(warehouse.rows("shared_buffer")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 20_000));
        long buffers = 0;
        for (int writer = 0; writer < 4; writer++) {
            String group = "writer." + writer + ".paimon.table.shared_buffer.writerBuffer.";
            buffers += MetricsSeen.sum("Writer : shared_buffer", group + "totalWriteBufferSizeByte");
            // Two subtasks with four of the eight buckets each: one for every thread.
            assertThat(MetricsSeen.sum("Writer : shared_buffer", group + "numWriters"))
                    .isEqualTo(2);
        }
        assertThat(buffers).isEqualTo((2 * 12L) << 20);
        assertThat(MetricsSeen.sum("Writer : shared_buffer", "numRecordsSend")).isEqualTo(20_000);
        assertThat(MetricsSeen.sum("Writer : shared_buffer", "numBytesSend"))
                .isEqualTo(warehouse.bytes("shared_buffer"));
        assertThat(MetricsSeen.has("Writer : shared_buffer", "lastFlushTimeMs")).isTrue();
        assertThat(MetricsSeen.has("Writer : shared_buffer", "flushTimeMs")).isTrue();
        assertThat(MetricsSeen.has("Writer : shared_buffer", "compaction.avgCompactionTime"))
                .isTrue();
    }

    @Test
    void oneWriterHasNoThreadOfItsOwn() throws Exception {
        StoreTable table = warehouse.create("single", List.of("id"), List.of(), Map.of("bucket", "2"));
        StreamExecutionEnvironment env = cluster.environment(job(RuntimeExecutionMode.BATCH));
        PaimonSink.append(numbers(env, "single", 100, RateLimiterStrategy.noOp()), table, settings(1), false);
        env.execute();
        assertThat(threads("single")).isEmpty();
        assertThat(MetricsSeen.has("Writer : single", "writer.0.paimon.table.single.writerBuffer.numWriters"))
                .isFalse();
    }

    @Test
    void aFailureOfAThreadIsTheTasksWithItsReason() throws Exception {
        StoreTable table = warehouse.create("refused", List.of(), List.of(), Map.of());
        Configuration job = job(RuntimeExecutionMode.BATCH);
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = cluster.environment(job);
        DataStream<RowData> rows = env.fromData(List.of(Rows.row(1), Rows.row(RowKind.DELETE, 2, "n2")), Rows.TYPE);
        PaimonSink.append(rows, table, settings(2), false);

        assertThatThrownBy(env::execute)
                .hasStackTraceContaining("Writing a row failed for table paimon.db.refused: the row's kind is -D;");
        assertThat(warehouse.hasSnapshot("refused")).isFalse();
        assertThat(threads("refused")).isEmpty();
    }

    @Test
    void aBufferThatIsTooSmallForTheWritersIsRefused() throws Exception {
        StoreTable table = warehouse.create(
                "little", List.of("id"), List.of(), Map.of("bucket", "1", "write-buffer-size", "512 kb"));
        Configuration job = job(RuntimeExecutionMode.BATCH);
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = cluster.environment(job);
        PaimonSink.append(numbers(env, "little", 10, RateLimiterStrategy.noOp()), table, settings(4), false);

        assertThatThrownBy(env::execute)
                .rootCause()
                .hasMessageContaining("'write-buffer-size' is 524288 bytes and 'write.max-writers-per-task' is 4, which"
                        + " leaves each less than 3 pages of 65536 bytes");
    }

    private static Set<String> threads(String table) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("Writer : " + table) && name.contains(" writer #"))
                .collect(Collectors.toSet());
    }
}
