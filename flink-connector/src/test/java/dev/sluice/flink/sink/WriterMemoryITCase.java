/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.LogLines;
import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.clusterframework.types.ResourceProfile;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where writers take their memory from, on a cluster of two slots of 32 MiB managed memory each. */
final class WriterMemoryITCase {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final long MIB = 1 << 20;
    private static final String BUFFER = "writerBuffer.totalWriteBufferSizeByte";
    private static final String MANAGED_USED = "Status.Flink.Memory.Managed.Used";
    private static Cluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        MetricsSeen.configure(configuration);
        cluster = new Cluster(2, configuration);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    private StoreTable keyed(String name) throws Exception {
        return warehouse.create(name, List.of("id"), List.of(), Map.of("bucket", "2", "write-buffer-size", "5 mb"));
    }

    private static StreamExecutionEnvironment streaming(Duration checkpoints) throws Exception {
        return streaming(checkpoints, 10);
    }

    private static StreamExecutionEnvironment streaming(Duration checkpoints, int restarts) throws Exception {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpoints);
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(20));
        StreamExecutionEnvironment env = cluster.environment(job);
        env.setParallelism(1);
        return env;
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

    private static WriteSettings settings(String... keysAndValues) {
        Configuration options = new Configuration();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.setString(keysAndValues[i], keysAndValues[i + 1]);
        }
        return WriteSettings.from(options);
    }

    private static long buffer(String table) {
        return MetricsSeen.sum("Writer : " + table + ".", "table." + table + "." + BUFFER);
    }

    private static void awaitEnd(JobClient client) throws Exception {
        client.getJobExecutionResult().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void twoSinksShareASlotsManagedMemoryByTheirWeights() throws Exception {
        StoreTable heavy = keyed("heavy");
        StoreTable light = keyed("light");
        StreamExecutionEnvironment env = streaming(Duration.ofHours(1));
        DataStream<RowData> rows = numbers(env, "shared", 1_000, new Feed.Gated("shared"));
        String managed = "sink.use-managed-memory-allocator";
        String weight = "sink.managed.writer-buffer-memory";
        PaimonSink.append(rows, heavy, settings(managed, "true", weight, "300 mb"), true);
        PaimonSink.append(rows, light, settings(managed, "true", weight, "100 mb"), true);

        JobClient client = env.executeAsync();
        await().atMost(LONG).until(() -> Feed.of("shared").passed.get() == 500);
        // The rows are in buffers of both: no checkpoint has been.
        await().atMost(LONG).until(() -> MetricsSeen.sum("taskmanager", MANAGED_USED) > 0);
        assertThat(buffer("heavy")).isEqualTo(24 * MIB);
        assertThat(buffer("light")).isEqualTo(8 * MIB);
        Feed.of("shared").gate.complete(null);
        awaitEnd(client);

        assertThat(warehouse.rows("heavy")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1_000));
        assertThat(warehouse.rows("light")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1_000));
        await().atMost(LONG).until(() -> MetricsSeen.sum("taskmanager", MANAGED_USED) == 0);
    }

    @Test
    void restartsGiveAllManagedMemoryBack() throws Exception {
        StoreTable table = keyed("restarted");
        StreamExecutionEnvironment env = streaming(Duration.ofHours(1));
        Feed.of("restarted").failuresLeft.set(4);
        // Each attempt reads from the first row on and fails with rows in the buffer.
        DataStream<RowData> rows = numbers(env, "unused", 3_000, RateLimiterStrategy.noOp())
                .map(new FailsAfterRows("restarted", 1_000))
                .returns(Rows.TYPE);
        PaimonSink.append(rows, table, settings("sink.use-managed-memory-allocator", "true"), true);

        try (LogLines slots = new LogLines("org.apache.flink.runtime.taskexecutor.slot.TaskSlot")) {
            awaitEnd(env.executeAsync());
            await().atMost(LONG).until(() -> MetricsSeen.sum("taskmanager", MANAGED_USED) == 0);
            assertThat(slots.of(Level.WARN)).isEmpty();
        }
        assertThat(Feed.of("restarted").failuresLeft).hasValue(0);
        assertThat(warehouse.rows("restarted")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 3_000));
    }

    @Test
    void theWritersAndTheCommitterGetSlotsOfTheirOwn() throws Exception {
        StoreTable table = keyed("slots");
        JobClient client = inSlots(
                table,
                settings(
                        "sink.use-managed-memory-allocator", "true",
                        "sink.writer-cpu", "0.5",
                        "sink.writer-memory", "64 mb",
                        "sink.writer-managed-memory", "12 mb",
                        "sink.committer-cpu", "0.25",
                        "sink.committer-memory", "16 mb"));

        assertProfile(profile(client, "Writer : slots"), 0.5, 64, 12);
        assertProfile(profile(client, "Committer : slots"), 0.25, 16, 0);
        assertThat(buffer("slots")).isEqualTo(12 * MIB);
        awaitEnd(client);
        assertThat(warehouse.rows("slots")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1_000));
    }

    @Test
    void managedMemoryOfASlotDoesNotMakeTheWriterUseIt() throws Exception {
        StoreTable table = keyed("heap");
        JobClient client =
                inSlots(table, settings("sink.writer-memory", "64 mb", "sink.writer-managed-memory", "12 mb"));

        assertThat(profile(client, "Writer : heap").getManagedMemory()).isEqualTo(MemorySize.ofMebiBytes(12));
        // The table's write-buffer-size.
        assertThat(buffer("heap")).isEqualTo(5 * MIB);
        assertThat(MetricsSeen.sum("taskmanager", MANAGED_USED)).isZero();
        awaitEnd(client);
    }

    /** Starts a job and returns when the writer has rows and is still at work. */
    private static JobClient inSlots(StoreTable table, WriteSettings settings) throws Exception {
        String name = SinkTopology.shortName(table);
        StreamExecutionEnvironment env = streaming(Duration.ofHours(1));
        PaimonSink.append(numbers(env, name, 1_000, new Feed.Gated(name)), table, settings, true);
        JobClient client = env.executeAsync();
        await().atMost(LONG).until(() -> buffer(name) > 0);
        Feed.of(name).gate.complete(null);
        return client;
    }

    /** Flink adds network memory of its own reckoning. */
    private static void assertProfile(ResourceProfile profile, double cpu, int heapMiB, int managedMiB) {
        assertThat(profile.getCpuCores().getValue().doubleValue()).isEqualTo(cpu);
        assertThat(profile.getTaskHeapMemory()).isEqualTo(MemorySize.ofMebiBytes(heapMiB));
        assertThat(profile.getManagedMemory()).isEqualTo(MemorySize.ofMebiBytes(managedMiB));
    }

    private static ResourceProfile profile(JobClient client, String operator) throws Exception {
        for (AccessExecutionJobVertex vertex : cluster.miniCluster()
                .getExecutionGraph(client.getJobID())
                .get(60, TimeUnit.SECONDS)
                .getVerticesTopologically()) {
            if (vertex.getName().startsWith(operator)) {
                return vertex.getSlotSharingGroup().getResourceProfile();
            }
        }
        throw new AssertionError("no task is called " + operator);
    }

    @Test
    void aShareThatIsTooSmallIsToldWithWhatToRaise() throws Exception {
        StoreTable table = keyed("tiny");
        StreamExecutionEnvironment env = streaming(Duration.ofHours(1), 0);
        WriteSettings settings = settings(
                "sink.use-managed-memory-allocator", "true",
                "sink.writer-memory", "64 mb",
                "sink.writer-managed-memory", "64 kb");
        PaimonSink.append(numbers(env, "tiny", 10, RateLimiterStrategy.noOp()), table, settings, true);

        assertThatThrownBy(env::execute)
                .rootCause()
                .hasMessageStartingWith("Opening a writer failed for table paimon.db.tiny:"
                        + " 'sink.use-managed-memory-allocator' is true and the writer's share of its slot's managed"
                        + " memory is 65536 bytes")
                .hasMessageContaining("'sink.writer-managed-memory'");
    }

    @Test
    void slotsWithoutManagedMemoryAndWritersThatWantItAreRefused() {
        assertThatThrownBy(() -> settings("sink.use-managed-memory-allocator", "true", "sink.writer-memory", "64 mb"))
                .hasMessage("Option 'sink.use-managed-memory-allocator' is true; accepted is true, with"
                        + " sink.writer-memory only if sink.writer-managed-memory is set too: the writers' own slots"
                        + " have no managed memory otherwise.");
    }

    private static final class FailsAfterRows implements MapFunction<RowData, RowData> {

        private final String feed;
        private int left;

        private FailsAfterRows(String feed, int rows) {
            this.feed = feed;
            this.left = rows;
        }

        @Override
        public RowData map(RowData row) {
            left--;
            if (left == 0 && Feed.of(feed).failuresLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IllegalStateException("the test fails here");
            }
            return row;
        }
    }
}
