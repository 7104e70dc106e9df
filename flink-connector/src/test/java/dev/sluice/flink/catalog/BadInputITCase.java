/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.Warehouse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deepest cause is what SQL clients show: it is one line that says what, where and what to do. */
final class BadInputITCase {

    @TempDir
    Path folder;

    @Test
    void aCatalogWithoutWarehouse() {
        assertRootOfCatalog("'type'='paimon'")
                .hasMessageStartingWith("Catalog 'c' needs option 'warehouse' (metastore 'filesystem')");
        assertRootOfCatalog("'type'='paimon','warehouse'=' '")
                .hasMessageStartingWith("Catalog 'c' needs option 'warehouse' (metastore 'filesystem')");
        assertRootOfCatalog("'type'='paimon','warehouse'='/w','metastore'='jdbc'")
                .hasMessageStartingWith("Catalog 'c' needs option 'uri' (metastore 'jdbc')");
    }

    @Test
    void aWarehouseThatIsNotThereIsMade() {
        Path absent = folder.resolve("not/yet/there");
        new Warehouse(absent);
        assertThat(absent.resolve("default.db")).isDirectory();
    }

    @Test
    void aWarehouseThatIsAFileOrBelowOne() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertRootOfCatalog("'type'='paimon','warehouse'='" + file + "'")
                .hasMessage("Catalog 'c' cannot be opened: warehouse " + file + " (option 'warehouse') is a file;"
                        + " accepted is a folder or a path where one can be created.");
        assertRootOfCatalog("'type'='paimon','warehouse'='" + file.resolve("w") + "'")
                .hasMessageContaining("(option 'warehouse') lies below " + file + ", which is a file;");
        assertThat(file).hasContent("x");
    }

    @Test
    void aWarehouseThatCannotBeWritten() {
        // Not even root may create a folder here.
        assertRootOfCatalog("'type'='paimon','warehouse'='/proc/w'")
                .hasMessageStartingWith("Catalog 'c' cannot be opened: warehouse /proc/w (option 'warehouse') cannot be"
                        + " written by user '" + System.getProperty("user.name") + "' in folder /proc: ")
                .hasMessageEndingWith("Give that user write permission there, or choose another folder.");
    }

    @Test
    void aWarehouseOnAFileSystemThatIsNotInstalled() {
        assertRootOfCatalog("'type'='paimon','warehouse'='s9://b/w','s3.secret-key'='hush'")
                .hasMessageContaining("warehouse s9://b/w (option 'warehouse') has the scheme 's9', for which no file"
                        + " system is installed")
                .hasMessageNotContaining("hush");
        assertRootOfCatalog("'type'='paimon','warehouse'='s9://b/w','s9.secret-key'='hush'")
                .hasMessageStartingWith(
                        "Catalog c, option 's9.secret-key' = '******' (CREATE CATALOG): no option has this key.");
    }

    @Test
    void aCatalogOptionThatCannotBeParsedIsNotBlamedOnTheWarehouse() {
        assertRootOfCatalog("'type'='paimon','warehouse'='" + folder + "','cache-enabled'='maybe'")
                .hasMessageStartingWith(
                        "Catalog c, option 'cache-enabled' = 'maybe' (CREATE CATALOG): the value is not accepted;")
                .hasMessageNotContaining("warehouse");
    }

    @Test
    void aTableThatIsNotThere() {
        Warehouse warehouse = new Warehouse(folder);
        assertThatThrownBy(() -> warehouse.sql("SELECT * FROM nothing"))
                .hasMessageContaining("Object 'nothing' not found");
        assertThatThrownBy(() -> warehouse.sql("DROP TABLE nothing"))
                .hasMessage("Table with identifier 'p.default.nothing' does not exist.");
    }

    @Test
    void aTableOfAnotherConnectorOrOfNoUsableName() {
        Warehouse warehouse = new Warehouse(folder);
        assertRoot(() -> warehouse.sql("CREATE TABLE t (id INT) WITH ('connector'='kafka')"))
                .hasMessageStartingWith("Table p.default.t cannot be created: option 'connector' is 'kafka'")
                .hasMessageContaining("CREATE TEMPORARY TABLE");
        assertRoot(() -> warehouse.sql("CREATE TABLE `../t` (id INT)"))
                .hasMessageStartingWith("Table p.default.../t cannot be created: its name");
        assertRoot(() -> warehouse.sql("CREATE DATABASE `a/b`"))
                .hasMessageStartingWith("Database p.a/b cannot be created: its name");
        assertThat(folder.resolve("default.db")).isEmptyDirectory();
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void aTableThatTheEngineRefuses() {
        Warehouse warehouse = new Warehouse(folder);
        assertRoot(() -> warehouse.sql("CREATE TABLE t (id INT) WITH ('bucket'='x')"))
                .hasMessageStartingWith(
                        "Table p.default.t, option 'bucket' = 'x' (CREATE TABLE): the value is not accepted;");
        assertRoot(() -> warehouse.sql("CREATE TABLE t (id INT) WITH ('buket'='2')"))
                .hasMessageStartingWith(
                        "Table p.default.t, option 'buket' = '2' (CREATE TABLE): no option has this key."
                                + " Nearest known: 'bucket'");
        assertRoot(() -> warehouse.sql("CREATE TABLE t (id INT) WITH ('type'='format-table')"))
                .hasMessageStartingWith("Table p.default.t cannot be created: its 'type' is 'format-table'")
                .hasMessageContaining("'metastore'='rest'");
        assertRoot(() -> warehouse.sql("CREATE VIEW v AS SELECT 1 AS uno"))
                .hasMessageStartingWith("View p.default.v cannot be created: metastore 'filesystem'")
                .hasMessageContaining("CREATE TEMPORARY VIEW");
        assertThat(warehouse.tableFolder("t").resolve("schema")).doesNotExist();
    }

    @Test
    void aChangeThatTheEngineRefuses() throws Exception {
        Warehouse warehouse = keyed();
        assertRoot(() -> warehouse.sql("ALTER TABLE t SET ('bucket'='-1')"))
                .hasMessage("Table p.default.t, option 'bucket' = '-1' (ALTER TABLE SET): a table cannot change between"
                        + " fixed buckets and none; it has '2'. Create another table with it and copy the rows.");
    }

    @Test
    void aTableWithADamagedSchemaFile() throws Exception {
        keyed();
        Path schema = warehouseFile("t/schema/schema-0");
        Files.writeString(schema, Files.readString(schema).substring(0, 30));
        Warehouse warehouse = new Warehouse(folder);
        for (String sql :
                new String[] {"SELECT * FROM t", "INSERT INTO t VALUES (1, 'a')", "DESCRIBE t", "DROP TABLE t"}) {
            assertRoot(() -> warehouse.sql(sql))
                    .hasMessageStartingWith("Table p.default.t cannot be ")
                    .hasMessageContaining("its schema file file:" + schema + " cannot be read (")
                    .hasMessageEndingWith("Restore that file from a copy.");
        }
        assertThat(schema).exists();
    }

    @Test
    void aTableWithADamagedLatestSnapshot() throws Exception {
        keyed();
        Path snapshot = warehouseFile("t/snapshot/snapshot-1");
        Files.writeString(snapshot, "");
        Warehouse warehouse = new Warehouse(folder);
        for (String sql : new String[] {"SELECT * FROM t", "INSERT INTO t VALUES (1, 'a')"}) {
            assertRoot(() -> warehouse.sql(sql))
                    .hasMessageStartingWith("Table p.default.t cannot be opened: its latest snapshot file file:"
                            + snapshot + " cannot be read (")
                    .hasMessageContaining("Restore that file from a copy");
        }
    }

    @Test
    void aDeclaredTableThatDoesNotMatchTheStoredOne() throws Exception {
        Warehouse warehouse = keyed();
        warehouse.sql("CREATE TEMPORARY TABLE d (id STRING, w INT) WITH ('connector'='paimon','path'='"
                + warehouse.tableFolder("t") + "')");
        for (String sql : new String[] {"SELECT * FROM d", "INSERT INTO d VALUES ('a', 1)"}) {
            assertRoot(() -> warehouse.sql(sql))
                    .hasMessageContaining("is declared differently from how it is stored")
                    .hasMessageContaining("column 'id' STRING but stored as BIGINT NOT NULL");
        }
    }

    private Warehouse keyed() throws Exception {
        Warehouse warehouse = new Warehouse(folder);
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        return warehouse;
    }

    private Path warehouseFile(String path) {
        return folder.resolve("default.db").resolve(path);
    }

    private static AbstractThrowableAssert<?, ?> assertRootOfCatalog(String options) {
        TableEnvironment env = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        return assertRoot(() -> env.executeSql("CREATE CATALOG c WITH (" + options + ")"));
    }

    /** Of the deepest cause, which has one line. */
    private static AbstractThrowableAssert<?, ?> assertRoot(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isNotNull();
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        assertThat(root.getMessage()).doesNotContain("\n");
        return assertThat(root);
    }
}
