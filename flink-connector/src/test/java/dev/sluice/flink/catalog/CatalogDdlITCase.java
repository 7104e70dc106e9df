/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.Warehouse;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.flink.DataCatalogTable;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.SystemCatalogTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the official connector's catalog, through ours. */
final class CatalogDdlITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createCatalog() {
        warehouse = new Warehouse(folder);
    }

    @Test
    void theCatalogIsOursAndStaysTheOfficialOneForCodeThatUnwrapsIt() throws Exception {
        assertThat(warehouse.env().getCatalog("p")).get().isInstanceOf(PaimonCatalog.class);
        FlinkCatalog official = warehouse.catalog();
        createT();
        assertThat(official.catalog()
                        .getTable(Identifier.create("default", "t"))
                        .primaryKeys())
                .containsExactly("id");
        assertThat(official.getTable(new ObjectPath("default", "t"))).isInstanceOf(DataCatalogTable.class);
        assertThat(official.getTable(new ObjectPath("default", "t$options"))).isInstanceOf(SystemCatalogTable.class);
    }

    @Test
    void tablesAreCreatedShownDescribedAndDropped() throws Exception {
        createT();
        assertThat(warehouse.names("SHOW TABLES")).containsExactly("t");
        assertThat(columns("t")).containsExactly("id BIGINT false", "v STRING true");
        assertThat(warehouse.names("SHOW CREATE TABLE t").get(0))
                .contains("`p`.`default`.`t`", "PRIMARY KEY (`id`) NOT ENFORCED", "'bucket' = '2'");
        warehouse.sql("CREATE TABLE IF NOT EXISTS t (other INT)");
        assertThat(columns("t")).containsExactly("id BIGINT false", "v STRING true");
        warehouse.sql("CREATE TABLE u LIKE t");
        assertThat(columns("u")).containsExactly("id BIGINT false", "v STRING true");
        assertThat(warehouse.tableFolder("u").resolve("schema/schema-0")).exists();
        warehouse.sql("DROP TABLE t");
        warehouse.sql("DROP TABLE IF EXISTS t");
        assertThat(warehouse.names("SHOW TABLES")).containsExactly("u");
        assertThat(warehouse.tableFolder("t")).doesNotExist();
    }

    @Test
    void columnsOptionsAndNamesAreAltered() throws Exception {
        createT();
        warehouse.sql("ALTER TABLE t ADD (w INT COMMENT 'how wide' AFTER id, x DOUBLE)");
        warehouse.sql("ALTER TABLE t MODIFY w BIGINT");
        warehouse.sql("ALTER TABLE t RENAME v TO name");
        warehouse.sql("ALTER TABLE t DROP x");
        assertThat(columns("t")).containsExactly("id BIGINT false", "w BIGINT true", "name STRING true");
        warehouse.sql("ALTER TABLE t SET ('snapshot.num-retained.min'='7','sink.parallelism'='1')");
        warehouse.sql("ALTER TABLE t RESET ('sink.parallelism')");
        assertThat(warehouse.catalog().getTable(new ObjectPath("default", "t")).getOptions())
                .containsEntry("snapshot.num-retained.min", "7")
                .doesNotContainKey("sink.parallelism");
        warehouse.sql("ALTER TABLE t RENAME TO t2");
        assertThat(warehouse.names("SHOW TABLES")).containsExactly("t2");
    }

    @Test
    void databasesAreCreatedUsedAndDropped() throws Exception {
        warehouse.sql("CREATE DATABASE sales");
        warehouse.sql("CREATE DATABASE IF NOT EXISTS sales");
        warehouse.sql("USE sales");
        warehouse.sql("CREATE TABLE t (id INT)");
        assertThat(warehouse.names("SHOW DATABASES")).containsExactly("default", "sales");
        warehouse.sql("USE `default`");
        warehouse.sql("DROP DATABASE sales CASCADE");
        assertThat(warehouse.names("SHOW DATABASES")).containsExactly("default");
        assertThat(folder.resolve("sales.db")).doesNotExist();
    }

    @Test
    void partitionsAreListed() throws Exception {
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING) PARTITIONED BY (v)");
        warehouse.commit(
                "t", GenericRow.of(1L, BinaryString.fromString("a")), GenericRow.of(2L, BinaryString.fromString("b")));
        assertThat(warehouse.names("SHOW PARTITIONS t")).containsExactlyInAnyOrder("v=a", "v=b");
    }

    @Test
    void proceduresMakeTagsAndBranches() throws Exception {
        createT();
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        assertThat(warehouse.names("SHOW PROCEDURES FROM sys")).contains("create_tag", "create_branch", "compact");
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'one', snapshot_id => CAST(1 AS BIGINT))");
        warehouse.sql("CALL sys.create_branch('default.t', 'x', 'one')");
        assertThat(warehouse.tableFolder("t").resolve("tag/tag-one")).exists();
        assertThat(columns("t$branch_x")).containsExactly("id BIGINT false", "v STRING true");
        warehouse.sql("CALL sys.delete_branch('default.t', 'x')");
        warehouse.sql("CALL sys.delete_tag(`table` => 'default.t', tag => 'one')");
        assertThat(warehouse.tableFolder("t").resolve("tag/tag-one")).doesNotExist();
    }

    private void createT() {
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
    }

    private List<String> columns(String table) throws Exception {
        return warehouse.rows("DESCRIBE `" + table + "`").stream()
                .map(r -> r.getField(0) + " " + r.getField(1) + " " + r.getField(2))
                .toList();
    }
}
