/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.SharedCluster;
import dev.sluice.flink.source.TestTables;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that go on with a table's changes, and what its owner may do meanwhile. */
final class FollowStatementsITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path folder;

    private TestTables tables;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private TableEnvironment env(EnvironmentSettings.Builder settings, Configuration more) throws Exception {
        Configuration configuration = CLUSTER.statements();
        configuration.addAll(more);
        TableEnvironment env = TableEnvironment.create(
                settings.withConfiguration(configuration).build());
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
        env.executeSql("USE CATALOG p");
        env.executeSql("USE db");
        return env;
    }

    private TableEnvironment streaming() throws Exception {
        return env(EnvironmentSettings.newInstance().inStreamingMode(), new Configuration());
    }

    private static List<String> take(CloseableIterator<Row> rows, int count) {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count && rows.hasNext()) {
            taken.add(rows.next().toString());
        }
        return taken;
    }

    private static List<Row> all(TableEnvironment env, String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static InternalRow row(int id, String name) {
        return GenericRow.ofKind(RowKind.INSERT, id, BinaryString.fromString(name));
    }

    private Table table(boolean keyed, String... options) throws Exception {
        Schema.Builder schema =
                Schema.newBuilder().column("id", DataTypes.INT().notNull()).column("name", DataTypes.STRING());
        if (keyed) {
            schema.primaryKey("id").option("bucket", "1");
        }
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        return tables.create("t", schema.build());
    }

    private static void overwrite(Table table, InternalRow... rows) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder().withOverwrite();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (InternalRow row : rows) {
                write.write(row);
            }
            commit.commit(write.prepareCommit());
        }
    }

    @Test
    void anOverwriteIsReadAsTheDifferenceItMakes() throws Exception {
        Table table = table(true);
        TestTables.write(table, row(1, "a"), row(2, "b"));
        try (CloseableIterator<Row> rows = streaming()
                .executeSql("SELECT * FROM t /*+ OPTIONS('streaming-read-overwrite'='true') */")
                .collect()) {
            assertThat(take(rows, 2)).containsExactlyInAnyOrder("+I[1, a]", "+I[2, b]");
            overwrite(table, row(2, "c"), row(3, "d"));
            Map<Integer, String> now = new HashMap<>(Map.of(1, "a", 2, "b"));
            while (!now.equals(Map.of(2, "c", 3, "d"))) {
                Row change = rows.next();
                Integer id = change.getFieldAs(0);
                switch (change.getKind()) {
                    case INSERT, UPDATE_AFTER -> now.put(id, change.getFieldAs(1));
                    case DELETE -> now.remove(id);
                    case UPDATE_BEFORE -> assertThat(now).containsEntry(id, change.getFieldAs(1));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exactly-once", "at-least-once"})
    void aConsumerFindsWhatItHasNotReadThoughSnapshotsExpired(String mode) throws Exception {
        Table table = table(false);
        TestTables.write(table, row(1, "a"));
        Configuration checkpoints = new Configuration();
        checkpoints.setString("execution.checkpointing.interval", "200 ms");
        TableEnvironment env = env(EnvironmentSettings.newInstance().inStreamingMode(), checkpoints);
        String sql = "SELECT id FROM t /*+ OPTIONS('consumer-id'='me','consumer.mode'='" + mode + "') */";
        FileStoreTable store = (FileStoreTable) table;

        try (CloseableIterator<Row> rows = env.executeSql(sql).collect()) {
            assertThat(take(rows, 1)).containsExactly("+I[1]");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> store.consumerManager()
                            .consumer("me")
                            .filter(consumer -> consumer.nextSnapshot() == 2)
                            .isPresent());
        }
        TestTables.write(table, row(2, "b"));
        TestTables.write(table, row(3, "c"));
        store.copy(Map.of("snapshot.num-retained.min", "1", "snapshot.num-retained.max", "1"))
                .newCommit("expire")
                .expireSnapshots();

        assertThat(store.snapshotManager().earliestSnapshotId()).isEqualTo(2);
        try (CloseableIterator<Row> rows = env.executeSql(sql).collect()) {
            assertThat(take(rows, 2)).containsExactly("+I[2]", "+I[3]");
        }
    }

    @Test
    void aColumnThatIsLostOrChangedUnderARunningReadIsNamed() throws Exception {
        Table table = table(false);
        TestTables.write(table, row(1, "a"));
        TableEnvironment env = streaming();

        try (CloseableIterator<Row> rows = env.executeSql("SELECT id FROM t").collect()) {
            assertThat(take(rows, 1)).containsExactly("+I[1]");
            env.executeSql("ALTER TABLE t ADD more STRING");
            env.executeSql("ALTER TABLE t DROP name");
            TestTables.write(latest(table), row(2, "b"));
            assertThat(take(rows, 1)).containsExactly("+I[2]");
            env.executeSql("ALTER TABLE t MODIFY id BIGINT NOT NULL");
            TestTables.write(latest(table), GenericRow.of(5_000_000_000L, null));
            assertThatThrownBy(() -> take(rows, 1))
                    .rootCause()
                    .hasMessageContaining("Table p.db.t changed its column 'id' from INT NOT NULL to BIGINT NOT NULL"
                            + " while a job was using it. Start the job again");
        }
        try (CloseableIterator<Row> rows = env.executeSql("SELECT more FROM t").collect()) {
            assertThat(take(rows, 3)).hasSize(3);
            env.executeSql("ALTER TABLE t DROP more");
            TestTables.write(latest(table), GenericRow.of(4L));
            assertThatThrownBy(() -> take(rows, 1))
                    .rootCause()
                    .hasMessageContaining("Table p.db.t lost its column 'more' while a job was using it.");
        }
    }

    private static Table latest(Table table) {
        return ((FileStoreTable) table).copyWithLatestSchema();
    }

    @Test
    void aLimitOnSnapshotsNeedsCheckpoints() throws Exception {
        table(false);
        TableEnvironment env = streaming();

        assertThatThrownBy(() -> env.explainSql("SELECT * FROM t /*+ OPTIONS('scan.max-snapshot.count'='1') */"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Set 'execution.checkpointing.interval', or leave the option out.");
    }

    @Test
    void aReadBoundedByAnIntervalEndsWithWhatTheTableHolds() throws Exception {
        Table table = table(false);
        TestTables.write(table, row(1, "a"));
        TestTables.write(table, row(2, "b"));

        assertThat(all(
                        streaming(),
                        "SELECT id FROM t /*+ OPTIONS('scan.bounded.watermark-interval'='1 s',"
                                + " 'scan.mode'='from-snapshot-full', 'scan.snapshot-id'='1') */"))
                .containsExactlyInAnyOrder(Row.of(1), Row.of(2));
    }

    @Test
    void aWatermarkThatBoundsIsTheEndBesideAnInterval() throws Exception {
        Table table = table(false);
        commitWithWatermark(table, 100, row(1, "a"));
        commitWithWatermark(table, 200, row(2, "b"));
        commitWithWatermark(table, 300, row(3, "c"));

        assertThat(all(
                        streaming(),
                        "SELECT id FROM t /*+ OPTIONS('scan.bounded.watermark-interval'='1 s',"
                                + " 'scan.bounded.watermark'='200', 'scan.mode'='from-snapshot-full',"
                                + " 'scan.snapshot-id'='1') */"))
                .containsExactlyInAnyOrder(Row.of(1), Row.of(2));
    }

    private Table eventTimes(TableEnvironment env) throws Exception {
        env.executeSql("CREATE TABLE w (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)");
        return tables.engineTable("w");
    }

    private static final String WINDOWS =
            "SELECT window_start, COUNT(*) FROM TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
                    + " GROUP BY window_start, window_end";

    /** A reader is idle only when it has nothing to read: idle until its first split, its rows came after others' end. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void noRowIsLateBecauseAReaderHadNotBegun(String readers) throws Exception {
        table(false);
        TableEnvironment env = streaming();
        Table table = eventTimes(env);
        TestTables.write(table, at(1, 3_000), at(2, 4_000), at(3, 5_000), at(4, 9_000), at(5, 12_000), at(6, 14_000));
        env.getConfig().set("parallelism.default", "2");
        env.getConfig().set("scan.parallelism", readers);

        for (String end : List.of("'scan.bounded'='true'", "'scan.bounded.watermark-interval'='1 s'")) {
            for (int run = 0; run < 3; run++) {
                assertThat(all(env, WINDOWS.replace("TABLE w", "(SELECT * FROM w /*+ OPTIONS(" + end + ") */)")))
                        .as(end)
                        .containsExactlyInAnyOrder(
                                Row.of(LocalDateTime.parse("1970-01-01T00:00:00"), 4L),
                                Row.of(LocalDateTime.parse("1970-01-01T00:00:10"), 2L));
            }
        }
    }

    @Test
    void aReaderWithNothingToReadHoldsNoWindowOpen() throws Exception {
        table(false);
        TableEnvironment env = streaming();
        Table table = eventTimes(env);
        TestTables.write(table, at(1, 3_000), at(2, 9_000), at(3, 12_000));
        env.getConfig().set("parallelism.default", "2");

        try (CloseableIterator<Row> windows = env.executeSql(WINDOWS).collect()) {
            assertThat(windows.next()).isEqualTo(Row.of(LocalDateTime.parse("1970-01-01T00:00:00"), 2L));
        }
    }

    @Test
    void theWatermarkOfABoundedReadGoesInSteps() throws Exception {
        table(false);
        TableEnvironment env = streaming();
        env.executeSql("CREATE TABLE w (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)"
                + " WITH ('scan.bounded.watermark-interval'='10 s')");
        Table table = tables.engineTable("w");
        TestTables.write(table, at(1, 3_000), at(2, 9_000), at(3, 12_000), at(4, 8_000));

        String sql = "SELECT window_start, COUNT(*) FROM TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
                + " GROUP BY window_start, window_end";
        env.getConfig().set("parallelism.default", "1");

        // The third row's watermark closes the window that the fourth belongs to.
        assertThat(all(env, sql))
                .containsExactly(
                        Row.of(LocalDateTime.parse("1970-01-01T00:00:00"), 2L),
                        Row.of(LocalDateTime.parse("1970-01-01T00:00:10"), 1L));
        env.getConfig().set("scan.bounded.watermark-interval", "20 s");
        assertThat(all(env, sql))
                .containsExactly(
                        Row.of(LocalDateTime.parse("1970-01-01T00:00:00"), 3L),
                        Row.of(LocalDateTime.parse("1970-01-01T00:00:10"), 1L));
    }

    @Test
    void anIntervalIsOnlyForReadsThatFollow() throws Exception {
        Table table = table(false, "scan.bounded.watermark-interval", "1 s");
        TestTables.write(table, row(1, "a"));
        TableEnvironment batch = env(EnvironmentSettings.newInstance().inBatchMode(), new Configuration());

        assertThat(all(batch, "SELECT id FROM t")).containsExactly(Row.of(1));
        assertThatThrownBy(() ->
                        batch.explainSql("SELECT * FROM t /*+ OPTIONS('scan.bounded.watermark-interval'='1 min') */"))
                .hasStackTraceContaining("option 'scan.bounded.watermark-interval' = '1 min'")
                .hasStackTraceContaining(
                        "it bounds a streaming read, and this one reads what the table holds and ends.");
        TableEnvironment streaming = streaming();
        assertThatThrownBy(
                        () -> streaming.explainSql(
                                "SELECT * FROM t /*+ OPTIONS('scan.bounded.watermark-interval'='1 min',"
                                        + " 'scan.watermark.alignment.group'='g', 'scan.watermark.alignment.max-drift'='1 s') */"))
                .hasStackTraceContaining("Option 'scan.bounded.watermark-interval' is PT1M; accepted is at most"
                        + " scan.watermark.alignment.max-drift, PT1S");
    }

    private static InternalRow at(int id, long millis) {
        return GenericRow.of(id, Timestamp.fromEpochMillis(millis));
    }

    private static void commitWithWatermark(Table table, long watermark, InternalRow... rows) throws Exception {
        StreamWriteBuilder builder = table.newStreamWriteBuilder();
        try (StreamTableWrite write = builder.newWrite();
                TableCommitImpl commit = (TableCommitImpl) builder.newCommit()) {
            for (InternalRow row : rows) {
                write.write(row);
            }
            ManifestCommittable committable = new ManifestCommittable(1, watermark);
            write.prepareCommit(true, 1).forEach(committable::addFileCommittable);
            commit.commit(committable);
        }
    }

    @Test
    void systemTablesAnswerEveryProjection() throws Exception {
        Table table = table(true, "changelog-producer", "input");
        TestTables.write(table, row(1, "a"), row(2, "b"));
        table.createTag("first", 1);
        TableEnvironment env = env(EnvironmentSettings.newInstance().inBatchMode(), new Configuration());

        for (String system : List.of(
                "audit_log",
                "binlog",
                "snapshots",
                "schemas",
                "files",
                "tags",
                "options",
                "partitions",
                "buckets",
                "manifests",
                "ro",
                "consumers",
                "branches")) {
            String name = "`t$" + system + "`";
            List<String> columns = env.from(name).getResolvedSchema().getColumnNames();
            List<Row> whole = all(env, "SELECT * FROM " + name);
            List<String> reversed = new ArrayList<>(columns);
            Collections.reverse(reversed);
            List<Row> turned = all(env, "SELECT `" + String.join("`, `", reversed) + "` FROM " + name);
            assertThat(turned).as(system).hasSameSizeAs(whole);
            for (int i = 0; i < whole.size(); i++) {
                for (int c = 0; c < columns.size(); c++) {
                    assertThat(turned.get(i).getField(columns.size() - 1 - c))
                            .as("%s.%s", system, columns.get(c))
                            .isEqualTo(whole.get(i).getField(c));
                }
            }
            assertThat(all(env, "SELECT `" + columns.get(columns.size() - 1) + "` FROM " + name))
                    .as(system)
                    .hasSameSizeAs(whole);
        }
        assertThat(all(env, "SELECT name, rowkind FROM `t$audit_log` WHERE id = 2"))
                .containsExactly(Row.of("b", "+I"));
        assertThat(all(env, "SELECT name[1], rowkind FROM `t$binlog` WHERE rowkind = '+I'"))
                .containsExactlyInAnyOrder(Row.of("a", "+I"), Row.of("b", "+I"));
    }
}
