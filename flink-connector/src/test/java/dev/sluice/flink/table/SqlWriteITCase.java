/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements that write, read back with nothing but the engine. */
final class SqlWriteITCase {

    @TempDir
    Path warehouse;

    private TableEnvironment env;

    @BeforeEach
    void createCatalog() {
        env = session(EnvironmentSettings.inBatchMode());
    }

    private TableEnvironment session(EnvironmentSettings settings) {
        TableEnvironment session = TableEnvironment.create(settings);
        session.getConfig().set("parallelism.default", "2");
        session.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + warehouse.toUri() + "')");
        session.executeSql("USE CATALOG p");
        return session;
    }

    private static void run(TableEnvironment session, String sql) throws Exception {
        session.executeSql(sql).await();
    }

    /** Rows as "a|b|c", sorted. */
    private List<String> rows(String name) throws Exception {
        Table table;
        try (FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(warehouse.toUri()))) {
            table = catalog.getTable(Identifier.create("default", name));
        }
        List<InternalRow.FieldGetter> getters = new ArrayList<>();
        for (DataField field : table.rowType().getFields()) {
            getters.add(InternalRow.createFieldGetter(field.type(), getters.size()));
        }
        ReadBuilder read = table.newReadBuilder();
        List<String> rows = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(String.join(
                    "|",
                    getters.stream()
                            .map(getter -> String.valueOf(getter.getFieldOrNull(row)))
                            .toList())));
        }
        rows.sort(null);
        return rows;
    }

    @Test
    void insertsIntoAppendAndKeyedTables() throws Exception {
        run(env, "CREATE TABLE a (id INT, v STRING)");
        run(env, "INSERT INTO a VALUES (1, 'x'), (2, 'y')");
        run(env, "INSERT INTO a (id) VALUES (3)");
        assertThat(rows("a")).containsExactly("1|x", "2|y", "3|null");

        run(env, "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        run(env, "INSERT INTO k VALUES (1, 'x'), (2, 'y')");
        run(env, "INSERT INTO k VALUES (2, 'z'), (3, 'w')");
        assertThat(rows("k")).containsExactly("1|x", "2|z", "3|w");
    }

    @Test
    void overwritesAPartitionTheWrittenPartitionsOrEverything() throws Exception {
        run(env, "CREATE TABLE o (id INT, dt STRING) PARTITIONED BY (dt)");
        run(env, "INSERT INTO o VALUES (1, 'mon'), (2, 'tue'), (3, 'wed')");

        run(env, "INSERT OVERWRITE o PARTITION (dt = 'mon') VALUES (10)");
        assertThat(rows("o")).containsExactly("10|mon", "2|tue", "3|wed");

        run(env, "INSERT OVERWRITE o VALUES (20, 'tue')");
        assertThat(rows("o")).containsExactly("10|mon", "20|tue", "3|wed");

        run(env, "INSERT OVERWRITE o PARTITION (dt = 'wed') SELECT id FROM (VALUES (1)) AS x (id) WHERE id > 1");
        assertThat(rows("o")).containsExactly("10|mon", "20|tue");

        run(env, "INSERT OVERWRITE o /*+ OPTIONS('dynamic-partition-overwrite'='false') */ VALUES (5, 'sun')");
        assertThat(rows("o")).containsExactly("5|sun");
    }

    @Test
    void overwritesAKeyedTableWithItsLastRows() throws Exception {
        run(env, "CREATE TABLE ok (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        run(env, "INSERT INTO ok VALUES (1, 'x'), (2, 'y')");
        run(env, "INSERT OVERWRITE ok VALUES (2, 'new')");
        assertThat(rows("ok")).containsExactly("2|new");
    }

    @Test
    void truncates() throws Exception {
        run(env, "CREATE TABLE tr (id INT)");
        run(env, "INSERT INTO tr VALUES (1), (2)");
        run(env, "TRUNCATE TABLE tr");
        assertThat(rows("tr")).isEmpty();
    }

    @Test
    void streamingInsertsNeedCheckpoints() throws Exception {
        run(env, "CREATE TABLE s (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
        TableEnvironment streaming = session(EnvironmentSettings.inStreamingMode());
        assertThatThrownBy(() -> streaming.executeSql("INSERT INTO s VALUES (1, 'x')"))
                .hasMessageContaining("A streaming job commits to table p.default.s when a checkpoint completes")
                .hasMessageContaining("SET 'execution.checkpointing.interval' = '10 s';");
        assertThat(rows("s")).isEmpty();
        run(
                streaming,
                "INSERT INTO s /*+ OPTIONS('required-configuration-check.enabled'='false') */ VALUES (9, 'lost')");
        assertThat(rows("s")).as("told not to look, and nothing commits them").isEmpty();

        streaming.getConfig().set("execution.checkpointing.interval", "500 ms");
        run(streaming, "INSERT INTO s VALUES (1, 'x'), (2, 'y')");
        assertThat(rows("s")).containsExactly("1|x", "2|y");
    }

    @Test
    void streamingOverwritesAreRefused() throws Exception {
        run(env, "CREATE TABLE so (id INT)");
        TableEnvironment streaming = session(EnvironmentSettings.inStreamingMode());
        streaming.getConfig().set("execution.checkpointing.interval", "500 ms");
        assertThatThrownBy(() -> streaming.executeSql("INSERT OVERWRITE so VALUES (1)"))
                .hasMessageContaining("SET 'execution.runtime-mode' = 'batch';");
    }

    @Test
    void anAppendTableTakesNoUpdates() throws Exception {
        run(env, "CREATE TABLE k2 (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
        run(env, "CREATE TABLE a2 (v INT, n BIGINT)");
        TableEnvironment streaming = session(EnvironmentSettings.inStreamingMode());
        streaming.getConfig().set("execution.checkpointing.interval", "500 ms");
        assertThatThrownBy(() -> streaming.executeSql("INSERT INTO a2 SELECT v, COUNT(*) FROM k2 GROUP BY v"))
                .hasMessageContaining("p.default.a2")
                .hasMessageContaining("doesn't support consuming update");
    }

    @Test
    void flinksEnforcersDecideWhatHappensToNullsAndLongTexts() throws Exception {
        run(env, "CREATE TABLE e (id INT, c VARCHAR(3) NOT NULL)");
        String nulls =
                "INSERT INTO e SELECT id, IF(id = 1, CAST(NULL AS STRING), 'x') FROM (VALUES (1), (2)) AS v (id)";
        assertThatThrownBy(() -> run(env, nulls))
                .hasStackTraceContaining("Column 'c' is NOT NULL")
                .hasStackTraceContaining("table.exec.sink.not-null-enforcer");
        assertThat(rows("e")).isEmpty();

        env.getConfig().set("table.exec.sink.not-null-enforcer", "DROP");
        run(env, nulls);
        assertThat(rows("e")).containsExactly("2|x");

        env.getConfig().set("table.exec.sink.type-length-enforcer", "TRIM_PAD");
        run(env, "INSERT INTO e SELECT id, CONCAT('long', CAST(id AS STRING)) FROM (VALUES (3)) AS v (id)");
        assertThat(rows("e")).containsExactly("2|x", "3|lon");
    }

    @Test
    void columnsThatDoNotMatchAreRefused() throws Exception {
        run(env, "CREATE TABLE c (id INT, v STRING)");
        assertThatThrownBy(() -> env.executeSql("INSERT INTO c VALUES (1)"))
                .hasMessageContaining("p.default.c")
                .hasMessageContaining("Different number of columns");
    }
}
