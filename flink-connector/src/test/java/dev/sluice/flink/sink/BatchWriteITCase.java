/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BatchWriteITCase {

    private static Cluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        cluster = new Cluster(4);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    private static StreamExecutionEnvironment batch() throws Exception {
        return batch(Map.of());
    }

    private static StreamExecutionEnvironment batch(Map<String, String> options) throws Exception {
        Configuration job = Configuration.fromMap(options);
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        return cluster.environment(job);
    }

    private static DataStream<RowData> numbers(StreamExecutionEnvironment env, long from, long to) {
        return env.fromSequence(from, to).map(Rows::row).returns(Rows.TYPE);
    }

    private void append(StoreTable table, long from, long to, Integer parallelism) throws Exception {
        StreamExecutionEnvironment env = batch();
        PaimonSink.append(numbers(env, from, to), table, new WriteSettings(parallelism), false);
        env.execute();
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("append", List.of(), List.of(), Map.of()),
                Arguments.of("append_partitioned", List.of(), List.of("part"), Map.of()),
                Arguments.of("append_buckets", List.of(), List.of(), Map.of("bucket", "3", "bucket-key", "id")),
                Arguments.of("keyed", List.of("id"), List.of(), Map.of("bucket", "4")),
                Arguments.of("keyed_partitioned", List.of("id", "part"), List.of("part"), Map.of("bucket", "2")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void writesAllRowsInOneSnapshotAndAddsToThem(
            String name, List<String> key, List<String> partition, Map<String, String> options) throws Exception {
        StoreTable table = warehouse.create(name, key, partition, options);

        append(table, 1, 1000, null);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1000));
        assertThat(warehouse.commits(name)).hasSize(1);

        append(table, 1001, 1500, 3);
        assertThat(warehouse.rows(name)).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 1500));
        assertThat(warehouse.commits(name)).hasSize(2);
    }

    @Test
    void laterRowsOfAKeyWinAndDeletesRemoveIt() throws Exception {
        StoreTable table = warehouse.create("kinds", List.of("id"), List.of(), Map.of("bucket", "2"));
        StreamExecutionEnvironment env = batch();
        env.setParallelism(1);
        DataStream<RowData> changes = env.fromData(
                Rows.TYPE,
                Rows.row(1),
                Rows.row(2),
                Rows.row(3),
                Rows.row(RowKind.UPDATE_AFTER, 1, "changed"),
                Rows.row(RowKind.DELETE, 2, "n2"));

        PaimonSink.append(changes, table, new WriteSettings(2), false);
        env.execute();

        assertThat(warehouse.rows("kinds")).containsExactlyInAnyOrder("1|1|changed", "3|0|n3");
    }

    @Test
    void anEmptyInputMakesNoSnapshot() throws Exception {
        StoreTable table = warehouse.create("empty", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env = batch();
        PaimonSink.append(numbers(env, 1, 10).filter(row -> false), table, new WriteSettings(null), false);
        env.execute();
        assertThat(warehouse.hasSnapshot("empty")).isFalse();
    }

    @Test
    void anUnwritableTableFailsWithItsNameAndLeavesNoSnapshot() throws Exception {
        StoreTable table = warehouse.create("blocked", List.of(), List.of(), Map.of());
        Files.writeString(warehouse.pathOf("blocked").resolve("bucket-0"), "a file where a folder belongs");
        assertThatThrownBy(() -> append(table, 1, 10, 1))
                .hasStackTraceContaining("WriteFailedException: ")
                .hasStackTraceContaining(" failed for table paimon.db.blocked: ")
                .hasStackTraceContaining("Committed snapshots are untouched. Check that every task manager can write"
                        + " under the table's path");
        assertThat(warehouse.hasSnapshot("blocked")).isFalse();
    }

    @Test
    void aRowThatTheTableDoesNotTakeIsBlamedNotTheStorage() throws Exception {
        StoreTable table = warehouse.create("strict", List.of("id"), List.of(), Map.of("bucket", "1"));
        StreamExecutionEnvironment env = batch();
        DataStream<RowData> rows = env.fromData(Rows.TYPE, GenericRowData.of(null, 1, null));
        PaimonSink.append(rows, table, new WriteSettings(1), false);
        assertThatThrownBy(env::execute)
                .hasStackTraceContaining("Writing a row failed for table paimon.db.strict: ")
                .hasStackTraceContaining("(id)")
                .hasStackTraceContaining("filter or correct such rows in the query");
        assertThat(warehouse.hasSnapshot("strict")).isFalse();
    }

    @Test
    void aFailureOfTheOnlyCommitIsMadeUpForWithoutRepeatingIt() throws Exception {
        StoreTable table = warehouse.create("retried", List.of("id"), List.of(), Map.of("bucket", "2"));
        StreamExecutionEnvironment env = batch(Map.of(
                "restart-strategy.type", "fixed-delay",
                "restart-strategy.fixed-delay.attempts", "3",
                "restart-strategy.fixed-delay.delay", "50 ms"));
        WriteSettings settings = new WriteSettings(2);
        FailingCommitter.Step step = FailingCommitter.Step.BATCH;
        new SinkTopology(
                        table,
                        settings,
                        false,
                        null,
                        FailingCommitter.opener(table, step),
                        OperatorUids.of(table, settings))
                .attachTo(numbers(env, 1, 100));
        env.execute();

        assertThat(FailingCommitter.failures(table, step)).isOne();
        assertThat(warehouse.rows("retried")).containsExactlyInAnyOrderElementsOf(Rows.expected(1, 100));
        assertThat(warehouse.commits("retried")).hasSize(1);
    }

    @Test
    void streamingWithoutCheckpointsIsRefusedWithTheLineToSet() throws Exception {
        StoreTable table = warehouse.create("unchecked", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env = cluster.environment(new Configuration());
        assertThatThrownBy(() -> PaimonSink.append(numbers(env, 1, 10), table, new WriteSettings(null), true))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith(
                        "A streaming job commits to table paimon.db.unchecked when a checkpoint completes")
                .hasMessageContaining("SET 'execution.checkpointing.interval' = '10 s';");
    }

    @Test
    void checkpointsThatStopWithTheInputAreRefusedWithTheLineToSet() throws Exception {
        StoreTable table = warehouse.create("stopped", List.of(), List.of(), Map.of());
        Configuration job = new Configuration();
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        job.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        StreamExecutionEnvironment env = cluster.environment(job);
        assertThatThrownBy(() -> PaimonSink.append(numbers(env, 1, 10), table, new WriteSettings(null), true))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("SET 'execution.checkpointing.checkpoints-after-tasks-finish' = 'true';");
    }

    @Test
    void aModeThatIsNotTheJobsIsRefusedBecauseRowsWouldBeLost() throws Exception {
        StoreTable table = warehouse.create("modes", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment streaming = cluster.environment(new Configuration());
        assertThatThrownBy(() -> PaimonSink.append(numbers(streaming, 1, 10), table, new WriteSettings(null), false))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table paimon.db.modes is to be written once at the end of the input")
                .hasMessageContaining("'execution.runtime-mode' is STREAMING");
        StreamExecutionEnvironment batch = batch(Map.of("execution.checkpointing.interval", "1 s"));
        assertThatThrownBy(() -> PaimonSink.append(numbers(batch, 1, 10), table, new WriteSettings(null), true))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table paimon.db.modes is to be written with each checkpoint")
                .hasMessageContaining("'execution.runtime-mode' is BATCH");
    }

    @Test
    void theCommitterIsNeverRunTwiceAtOnce() throws Exception {
        StoreTable table = warehouse.create("speculative", List.of(), List.of(), Map.of());
        StreamExecutionEnvironment env = batch();
        PaimonSink.append(numbers(env, 1, 10), table, new WriteSettings(2), false);
        for (JobVertex vertex : env.getStreamGraph().getJobGraph().getVertices()) {
            assertThat(vertex.isSupportsConcurrentExecutionAttempts())
                    .as(vertex.getName())
                    .isEqualTo(!vertex.getName().contains("Committer : speculative"));
        }
    }

    @Test
    void operatorsAreNamedAfterTheTableAndTakeTheUidsTheUserEnds() throws Exception {
        StoreTable table = warehouse.create("named", List.of("id"), List.of(), Map.of("bucket", "2"));
        StreamExecutionEnvironment env = batch();
        PaimonSink.append(numbers(env, 1, 10), table, new WriteSettings(3, "v1"), false);
        Map<String, StreamNode> nodes = env.getStreamGraph(false).getStreamNodes().stream()
                .collect(Collectors.toMap(StreamNode::getOperatorName, node -> node));
        assertThat(nodes).containsKeys("Writer : named", "Committer : named");
        assertThat(nodes.get("Writer : named").getTransformationUID()).isEqualTo("Writer_named_v1");
        assertThat(nodes.get("Writer : named").getParallelism()).isEqualTo(3);
        assertThat(nodes.get("Committer : named").getTransformationUID()).isEqualTo("Committer_named_v1");
        assertThat(nodes.get("Committer : named").getParallelism()).isEqualTo(1);
        assertThat(nodes.get("Committer : named").getInEdges())
                .allSatisfy(
                        edge -> assertThat(edge.supportsUnalignedCheckpoints()).isFalse());
    }
}
