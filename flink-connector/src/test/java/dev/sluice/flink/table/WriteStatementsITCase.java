/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.SharedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.types.DataField;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Writing statements of less common shapes, read back with nothing but the engine. */
final class WriteStatementsITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path warehouse;

    private TableEnvironment env;

    @BeforeEach
    void createCatalog() throws Exception {
        env = TableEnvironment.create(CLUSTER.batch());
        env.getConfig().set("parallelism.default", "2");
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + warehouse.toUri() + "')");
        env.executeSql("USE CATALOG p");
    }

    private void run(String sql) throws Exception {
        env.executeSql(sql).await();
    }

    private List<String> rows(String name) throws Exception {
        return rows(name, "main");
    }

    private List<String> rows(String name, String branch) throws Exception {
        return rows(at(warehouse.resolve("default.db").resolve(name)).switchToBranch(branch));
    }

    private static List<String> rowsAt(Path folder) throws Exception {
        return rows(at(folder));
    }

    private static FileStoreTable at(Path folder) {
        return FileStoreTableFactory.create(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
    }

    /** Rows as "a|b|c", sorted. */
    private static List<String> rows(FileStoreTable table) throws Exception {
        List<InternalRow.FieldGetter> getters = new ArrayList<>();
        for (DataField field : table.rowType().getFields()) {
            getters.add(InternalRow.createFieldGetter(field.type(), getters.size()));
        }
        var read = table.newReadBuilder();
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
    void aTableWithoutACatalogIsMadeAndWrittenAtItsPath() throws Exception {
        Path keyed = warehouse.resolve("outside/keyed");
        Path plain = warehouse.resolve("outside/plain");
        run("CREATE TEMPORARY TABLE keyed (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ("
                + "'connector'='paimon','path'='" + keyed.toUri() + "','auto-create'='true','bucket'='2')");
        run("CREATE TEMPORARY TABLE plain (id INT, dt STRING) PARTITIONED BY (dt) WITH ("
                + "'connector'='paimon','path'='" + plain.toUri() + "','auto-create'='true')");
        run("INSERT INTO keyed VALUES (1, 'x'), (2, 'y')");
        run("INSERT INTO keyed VALUES (2, 'z')");
        run("INSERT INTO plain VALUES (1, 'mon'), (2, 'tue')");
        run("INSERT OVERWRITE plain PARTITION (dt = 'mon') VALUES (3)");

        assertThat(rowsAt(keyed)).containsExactly("1|x", "2|z");
        assertThat(rowsAt(plain)).containsExactly("2|tue", "3|mon");
    }

    @Test
    void aPathWithoutANumberOfBucketsIsWrittenInDynamicOnes() throws Exception {
        Path path = warehouse.resolve("outside/dynamic");
        run("CREATE TEMPORARY TABLE dyn (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ("
                + "'connector'='paimon','path'='" + path.toUri() + "','auto-create'='true')");
        run("INSERT INTO dyn VALUES (1, 'x'), (2, 'y')");
        run("INSERT INTO dyn VALUES (2, 'z'), (3, 'w')");

        assertThat(rowsAt(path)).containsExactly("1|x", "2|z", "3|w");
    }

    @Test
    void oneStatementSetWritesTwoTablesAndOneOfThemTwice() throws Exception {
        run("CREATE TABLE a (id INT, v STRING)");
        run("CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        StatementSet set = env.createStatementSet();
        set.addInsertSql("INSERT INTO a VALUES (1, 'x')");
        set.addInsertSql("INSERT INTO a /*+ OPTIONS('sink.parallelism'='1') */ VALUES (2, 'y')");
        set.addInsertSql("INSERT INTO k VALUES (3, 'z')");
        set.execute().await();
        assertThat(rows("a")).containsExactly("1|x", "2|y");
        assertThat(rows("k")).containsExactly("3|z");
    }

    @Test
    void columnsThatAreLeftOutAreNullAndKeepTheirValueUnderPartialUpdate() throws Exception {
        run("CREATE TABLE a (x INT, y STRING, z INT)");
        run("INSERT INTO a (z, x) VALUES (3, 1)");
        assertThat(rows("a")).containsExactly("1|null|3");

        run("CREATE TABLE pu (id INT, y STRING, z INT, PRIMARY KEY (id) NOT ENFORCED)"
                + " WITH ('bucket'='1','merge-engine'='partial-update')");
        run("INSERT INTO pu (id, y) VALUES (1, 'y1')");
        run("INSERT INTO pu (id, z) VALUES (1, 7)");
        assertThat(rows("pu")).containsExactly("1|y1|7");
    }

    @Test
    void aNullInANotNullColumnIsRefusedWithItsNameOrDroppedAsFlinkIsTold() throws Exception {
        run("CREATE TABLE n (id INT NOT NULL, v STRING)");
        assertThatThrownBy(() -> env.executeSql("INSERT INTO n (v) VALUES ('x')"))
                .hasMessageContaining("'id'");
        assertThatThrownBy(() ->
                        run("INSERT INTO n SELECT CAST(NULLIF(a, 1) AS INT), 'x' FROM (VALUES (1), (2)) AS t (a)"))
                .hasStackTraceContaining("'id'");
        env.getConfig().set("table.exec.sink.not-null-enforcer", "DROP");
        run("INSERT INTO n SELECT CAST(NULLIF(a, 1) AS INT), 'x' FROM (VALUES (1), (2)) AS t (a)");
        assertThat(rows("n")).containsExactly("2|x");
    }

    @Test
    void createsATableFromAQuery() throws Exception {
        run("CREATE TABLE c WITH ('bucket'='1','bucket-key'='id') AS SELECT 1 AS id, 'x' AS v");
        assertThat(rows("c")).containsExactly("1|x");
    }

    @Test
    void createsAndReplacesATableFromAQueryWithAKeyAndWithoutBuckets() throws Exception {
        run("CREATE TABLE k (PRIMARY KEY (id) NOT ENFORCED) AS SELECT 1 AS id, 'x' AS v");
        assertThat(rows("k")).containsExactly("1|x");
        run("CREATE OR REPLACE TABLE k (PRIMARY KEY (w) NOT ENFORCED) WITH ('bucket'='1')"
                + " AS SELECT w, z FROM (VALUES ('y', 2.5), ('y', 3.5)) AS later (w, z)");
        assertThat(rows("k")).containsExactly("y|3.5");
        assertThatThrownBy(() -> env.executeSql("CREATE OR REPLACE TABLE k WITH ('bukket'='1') AS SELECT 1 AS id"))
                .hasStackTraceContaining("option 'bukket' = '1' (CREATE TABLE): no option has this key");
    }

    @Test
    void anOverwriteWithoutRowsEmptiesTheTableOrTheStaticPartitionAndNoDynamicOne() throws Exception {
        run("CREATE TABLE plain (id INT)");
        run("INSERT INTO plain VALUES (1)");
        run("INSERT OVERWRITE plain SELECT id FROM plain WHERE id > 9");
        assertThat(rows("plain")).isEmpty();

        run("CREATE TABLE parts (id INT, dt STRING) PARTITIONED BY (dt)");
        run("INSERT INTO parts VALUES (1, 'mon'), (2, 'tue')");
        run("INSERT OVERWRITE parts SELECT id, dt FROM parts WHERE id > 9");
        assertThat(rows("parts")).as("dynamic: only partitions of the rows").containsExactly("1|mon", "2|tue");
        run("INSERT OVERWRITE parts PARTITION (dt = 'mon') SELECT id FROM plain");
        assertThat(rows("parts")).containsExactly("2|tue");
        run("INSERT OVERWRITE parts /*+ OPTIONS('dynamic-partition-overwrite'='false') */ SELECT id, 'wed' FROM plain");
        assertThat(rows("parts")).as("static without a partition: the table").isEmpty();
    }

    @Test
    void overwritesTheNullPartition() throws Exception {
        run("CREATE TABLE np (id INT, dt STRING) PARTITIONED BY (dt)");
        run("INSERT INTO np VALUES (1, 'mon'), (2, CAST(NULL AS STRING))");
        run("INSERT OVERWRITE np SELECT 3, CAST(NULL AS STRING)");
        assertThat(rows("np")).containsExactly("1|mon", "3|null");
    }

    @Test
    void overwritesAPartitionOfADateAndANumber() throws Exception {
        run("CREATE TABLE dp (id INT, dt DATE, h INT) PARTITIONED BY (dt, h)");
        run("INSERT INTO dp VALUES (1, DATE '1970-01-02', 1), (2, DATE '1970-01-03', 2), (3, DATE '1970-01-02', 2)");
        run("INSERT OVERWRITE dp PARTITION (dt = '1970-01-02', h = 1) VALUES (9)");
        assertThat(rows("dp")).containsExactly("2|2|2", "3|1|2", "9|1|1");
        run("INSERT OVERWRITE dp PARTITION (dt = '1970-01-02') VALUES (10, 2)");
        assertThat(rows("dp")).containsExactly("10|1|2", "2|2|2", "9|1|1");
    }

    @Test
    void aHintWritesABranchThatExistsWithTheBranchsSchema() throws Exception {
        run("CREATE TABLE br (id INT)");
        run("INSERT INTO br VALUES (1)");
        run("CALL sys.create_branch('default.br', 'b1')");
        run("INSERT INTO br /*+ OPTIONS('branch'='b1') */ VALUES (2)");
        assertThat(rows("br")).containsExactly("1");
        assertThat(rows("br", "b1")).containsExactly("2");

        assertThatThrownBy(() -> env.executeSql("INSERT INTO br /*+ OPTIONS('branch'='b2') */ VALUES (3)"))
                .hasStackTraceContaining("Table p.default.br has no branch 'b2' (option 'branch')");
        run("ALTER TABLE br ADD v STRING");
        assertThatThrownBy(() -> env.executeSql("INSERT INTO br /*+ OPTIONS('branch'='b1') */ VALUES (3, 'x')"))
                .hasStackTraceContaining("column 'v' STRING is declared but not stored");
        run("INSERT INTO `br$branch_b1` VALUES (4)");
        assertThat(rows("br", "b1")).containsExactly("2", "4");
    }
}
