/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.SharedCluster;
import dev.sluice.flink.source.TestTables;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Columns declared as METADATA. */
final class MetadataColumnsITCase {

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

    private TableEnvironment env(EnvironmentSettings.Builder settings) throws Exception {
        return TableEnvironment.create(
                settings.withConfiguration(CLUSTER.statements()).build());
    }

    private TableEnvironment batch() throws Exception {
        return env(EnvironmentSettings.newInstance().inBatchMode());
    }

    private static List<Row> rows(TableEnvironment env, String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static List<String> texts(TableEnvironment env, String sql) throws Exception {
        return rows(env, sql).stream().map(Row::toString).toList();
    }

    private static GenericRow row(RowKind kind, int id, String dt, int x) {
        return GenericRow.ofKind(kind, id, BinaryString.fromString(dt), x);
    }

    private Table table(boolean keyed, String... options) throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.INT().notNull())
                .column("dt", DataTypes.STRING().notNull())
                .column("x", DataTypes.INT())
                .partitionKeys("dt");
        if (keyed) {
            schema.primaryKey("dt", "id").option("bucket", "1");
        }
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        return tables.create("t", schema.build());
    }

    private void declare(TableEnvironment env, boolean keyed) {
        env.executeSql(
                "CREATE TABLE t (id INT NOT NULL, file STRING METADATA FROM 'file_path' VIRTUAL, dt STRING NOT NULL,"
                        + " `partition` STRING METADATA VIRTUAL, bucket INT METADATA VIRTUAL,"
                        + " snapshot_id BIGINT METADATA VIRTUAL, commit_time TIMESTAMP_LTZ(3) METADATA VIRTUAL,"
                        + " seq BIGINT METADATA FROM 'sequence_number' VIRTUAL, kind STRING METADATA FROM 'row_kind' VIRTUAL, x INT"
                        + (keyed ? ", PRIMARY KEY (dt, id) NOT ENFORCED" : "")
                        + ") PARTITIONED BY (dt) WITH ('connector'='paimon','path'='"
                        + tables.path("t").toUri() + "')");
    }

    @Test
    void rowsOfAnAppendTableTellWhereTheyAre() throws Exception {
        Table table = table(false);
        TestTables.write(table, row(RowKind.INSERT, 1, "a", 10));
        TestTables.write(table, row(RowKind.INSERT, 2, "b", 20));
        TableEnvironment env = batch();
        declare(env, false);

        assertThat(texts(env, "SELECT id, `partition`, bucket, snapshot_id, seq, kind, x FROM t"))
                .containsExactlyInAnyOrder("+I[1, dt=a, 0, 2, null, +I, 10]", "+I[2, dt=b, 0, 2, null, +I, 20]");
        List<Row> files = rows(env, "SELECT file, commit_time FROM t WHERE dt = 'a' AND kind = '+I'");
        assertThat(files).hasSize(1);
        assertThat(Files.exists(Path.of(URI.create((String) files.get(0).getField(0)))))
                .isTrue();
        assertThat(files.get(0).getField(1))
                .isEqualTo(Instant.ofEpochMilli(
                        ((FileStoreTable) table).snapshotManager().snapshot(2).timeMillis()));
        assertThat(texts(env, "SELECT COUNT(*) FROM t WHERE bucket = 0 AND snapshot_id > 1 AND x > 10"))
                .containsExactly("+I[1]");
    }

    @Test
    void mergedRowsTellTheirLatestSequenceNumber() throws Exception {
        Table table = table(true);
        TestTables.write(table, row(RowKind.INSERT, 1, "a", 10), row(RowKind.INSERT, 2, "a", 20));
        TestTables.write(table, row(RowKind.INSERT, 1, "a", 11), row(RowKind.DELETE, 2, "a", 20));
        TableEnvironment env = batch();
        declare(env, true);

        assertThat(texts(env, "SELECT seq, id, file, x, kind FROM t WHERE x > 10"))
                .containsExactly("+I[2, 1, null, 11, +I]");
        assertThat(texts(env, "SELECT x FROM t")).containsExactly("+I[11]");
    }

    @Test
    void changesAreRowsWithTheirKindInAColumn() throws Exception {
        Table table = table(true, "changelog-producer", "input");
        TestTables.write(table, row(RowKind.INSERT, 1, "a", 10), row(RowKind.INSERT, 2, "a", 20));
        TestTables.write(
                table,
                row(RowKind.UPDATE_BEFORE, 1, "a", 10),
                row(RowKind.UPDATE_AFTER, 1, "a", 11),
                row(RowKind.DELETE, 2, "a", 20));

        TableEnvironment batch = batch();
        declare(batch, true);
        String hint = " /*+ OPTIONS('read.changelog'='true','incremental-between'='0,2') */";
        assertThat(texts(batch, "SELECT kind, id, x FROM t" + hint))
                .containsExactlyInAnyOrder(
                        "+I[+I, 1, 10]", "+I[+I, 2, 20]", "+I[-U, 1, 10]", "+I[+U, 1, 11]", "+I[-D, 2, 20]");

        TableEnvironment streaming = env(EnvironmentSettings.newInstance().inStreamingMode());
        declare(streaming, true);
        List<String> taken = new ArrayList<>();
        try (CloseableIterator<Row> result = streaming
                .executeSql("SELECT kind, id, x, snapshot_id FROM t"
                        + " /*+ OPTIONS('read.changelog'='true','scan.mode'='from-snapshot','scan.snapshot-id'='1') */"
                        + " WHERE x <> 20")
                .collect()) {
            while (taken.size() < 3) {
                taken.add(result.next().toString());
            }
        }
        assertThat(taken).containsExactly("+I[+I, 1, 10, 1]", "+I[-U, 1, 10, 2]", "+I[+U, 1, 11, 2]");

        assertThatThrownBy(() -> batch.explainSql("SELECT id FROM t" + hint))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "'read.changelog' = 'true': each change would come as an insertion whose kind nobody"
                                + " sees. Select a column declared as STRING METADATA FROM 'row_kind' VIRTUAL");
    }
}
