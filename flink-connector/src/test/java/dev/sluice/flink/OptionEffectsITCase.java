/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.SharedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.logging.log4j.Level;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What options do in whole statements; snapshot n of the table has the rows 1 to n. */
final class OptionEffectsITCase {

    private static final String OPENED = "dev.sluice.flink.table.OpenedTable";

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createTable() throws Exception {
        warehouse = new Warehouse(folder, CLUSTER.batch());
        warehouse.sql("CREATE TABLE t (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
        for (long id = 1; id <= 3; id++) {
            warehouse.commit("t", GenericRow.of(id));
        }
    }

    @Test
    void eachReferenceIsItsOwnScanAndListsItsOptionsOnce() throws Exception {
        warehouse.sql("CREATE TABLE first_row (id BIGINT) WITH ('bucket'='-1')");
        warehouse.sql("CREATE TABLE all_rows (id BIGINT) WITH ('bucket'='-1')");
        StatementSet statements = warehouse.env().createStatementSet();
        statements.addInsertSql("INSERT INTO first_row SELECT id FROM t /*+ OPTIONS('scan.snapshot-id'='1') */");
        statements.addInsertSql("INSERT INTO all_rows SELECT id FROM t /*+ OPTIONS('scan.snapshot-id'='3') */");
        List<String> listings;
        try (LogLines log = new LogLines(OPENED)) {
            statements.execute().await();
            listings = log.of(Level.INFO);
        }
        assertThat(ids("first_row")).containsExactlyInAnyOrder(1L);
        assertThat(ids("all_rows")).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(listings)
                .hasSize(4)
                .satisfiesOnlyOnce(listing -> assertThat(listing)
                        .startsWith("Options of the scan of table p.default.t:\n")
                        .contains("\nbucket = 1  [stored with the table]  default -1\n")
                        .contains("\nscan.mode = default  [default]\n")
                        .contains("\nscan.snapshot-id = 1  [hint of this statement]\n"))
                .satisfiesOnlyOnce(listing -> assertThat(listing)
                        .startsWith("Options of the scan of table p.default.t:\n")
                        .contains("\nscan.snapshot-id = 3  [hint of this statement]\n"))
                .satisfiesOnlyOnce(listing ->
                        assertThat(listing).startsWith("Options of the sink of table p.default.first_row:\n"))
                .satisfiesOnlyOnce(listing ->
                        assertThat(listing).startsWith("Options of the sink of table p.default.all_rows:\n"));
    }

    @Test
    void aCatalogThatWarnsOfUnknownKeysWorksOnAndHidesTheirSecrets() throws Exception {
        warehouse.sql("CREATE CATALOG lax WITH ('type'='paimon','warehouse'='" + folder.toUri()
                + "','unknown-options'='warn')");
        warehouse.sql("CREATE TABLE lax.`default`.u (id BIGINT) WITH ('bukket'='1')");
        assertThatThrownBy(() -> warehouse.sql("CREATE TABLE v (id BIGINT) WITH ('bukket'='1')"))
                .rootCause()
                .hasMessageContaining("no option has this key. Nearest known: 'bucket'");
        warehouse.env().getConfig().set("paimon.lax.default.t.my.password", "hush");
        try (LogLines log = new LogLines(OPENED)) {
            assertThat(warehouse.names("SELECT id FROM lax.`default`.t /*+ OPTIONS('skan.mode'='latest') */"))
                    .hasSize(3);
            assertThat(log.of(Level.WARN))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(
                                    "Table lax.default.t, option 'skan.mode' = 'latest' (hint of this statement): no"
                                            + " option has this key"))
                    .anySatisfy(line -> assertThat(line).contains("'my.password' = '******'"));
            assertThat(log.of(Level.INFO))
                    .singleElement()
                    .asString()
                    .contains("my.password = ******  [SET")
                    .doesNotContain("hush");
        }
        assertThat(warehouse.rows("CALL lax.sys.effective_options('default.t')"))
                .extracting(Row::toString)
                .anySatisfy(row -> assertThat(row).contains("my.password, ******"))
                .noneSatisfy(row -> assertThat(row).contains("hush"));
        assertThat(warehouse.env().explainSql("SELECT id FROM lax.`default`.t")).doesNotContain("hush");
    }

    @Test
    void noSecretIsShownAndALookupListsItsOptionsOnce() throws Exception {
        for (String key : List.of("fs.s3a.secret.key", "hadoop.fs.s3a.access.key", "s3.access-key", "jdbc.password")) {
            assertThatThrownBy(() -> warehouse.rows("SELECT id FROM t /*+ OPTIONS('" + key + "'='hush') */"))
                    .rootCause()
                    .hasMessageContaining("'" + key + "' = '******' (hint of this statement)")
                    .hasMessageNotContaining("hush");
            warehouse.env().getConfig().set("paimon.p.*.t." + key, "hush");
            assertThatThrownBy(() -> warehouse.rows("CALL sys.effective_options('default.t')"))
                    .rootCause()
                    .hasMessageContaining("'" + key + "' = '******' (SET 'paimon.p.*.t." + key + "' in this session)")
                    .hasMessageNotContaining("hush");
            warehouse.env().getConfig().getConfiguration().removeKey("paimon.p.*.t." + key);
        }
        assertThatThrownBy(() -> warehouse.sql("CREATE CATALOG q WITH ('type'='paimon','warehouse'='" + folder.toUri()
                        + "','table-default.bukket-secret'='hush','s3.secret-key'='hush')"))
                .rootCause()
                .hasMessageContaining("'bukket-secret' = '******'")
                .hasMessageNotContaining("hush");
        try (LogLines log = new LogLines(OPENED)) {
            assertThat(warehouse.names("SELECT b.id FROM (SELECT id, PROCTIME() AS now FROM t) AS a"
                            + " JOIN t FOR SYSTEM_TIME AS OF a.now AS b ON a.id = b.id"))
                    .hasSize(3);
            assertThat(log.of(Level.INFO))
                    .hasSize(2)
                    .satisfiesOnlyOnce(line -> assertThat(line).startsWith("Options of the scan of table p.default.t:"))
                    .satisfiesOnlyOnce(
                            line -> assertThat(line).startsWith("Options of the lookup of table p.default.t:"));
        }
    }

    @Test
    void theWriteModeIsCheckedAgainstThePrimaryKeyInEveryScope() throws Exception {
        warehouse.sql("CREATE TABLE a (id BIGINT) WITH ('write-mode'='append-only')");
        warehouse.sql("CREATE TABLE k (id BIGINT, PRIMARY KEY (id) NOT ENFORCED)"
                + " WITH ('bucket'='1','write-mode'='change-log')");
        refused("CREATE TABLE x (id BIGINT) WITH ('write-mode'='change-log')", "for tables with a primary key");
        refused(
                "CREATE TABLE x (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('write-mode'='append-only')",
                "for tables without a primary key, and this one has [id]");
        refused("ALTER TABLE t SET ('write-mode'='append-only')", "for tables without a primary key");
        refused("INSERT INTO a /*+ OPTIONS('write-mode'='change-log') */ VALUES (1)", "for tables with a primary key");
        warehouse.env().getConfig().set("paimon.p.*.k.write-mode", "append-only");
        refused(
                "INSERT INTO k VALUES (1)",
                "(SET 'paimon.p.*.k.write-mode' in this session): it is for tables without");
        warehouse.env().executeSql("INSERT INTO a VALUES (1), (1)").await();
        assertThat(ids("a")).containsExactly(1L, 1L);
        warehouse
                .env()
                .executeSql("INSERT INTO k /*+ OPTIONS('write-mode'='auto') */ VALUES (1), (1)")
                .await();
        assertThat(ids("k")).containsExactly(1L);
    }

    @Test
    void aKeyForATableReachesItsSystemTablesAndBranchesUnlessTheyHaveTheirOwn() throws Exception {
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'two', snapshot_id => CAST(2 AS BIGINT))");
        warehouse.sql("CALL sys.create_branch('default.t', 'x', 'two')");
        warehouse.env().getConfig().set("paimon.p.default.t.scan.snapshot-id", "2");
        assertThat(ids("`t$branch_x`")).containsExactlyInAnyOrder(1L, 2L);
        assertThat(ids("`t$audit_log`")).containsExactlyInAnyOrder(1L, 2L);
        assertThat(warehouse.names("SELECT snapshot_id FROM `t$snapshots`")).containsExactlyInAnyOrder("1", "2", "3");
        warehouse.env().getConfig().set("paimon.p.default.t$audit_log.scan.snapshot-id", "1");
        assertThat(ids("`t$audit_log`")).containsExactly(1L);
        assertThat(ids("`t$audit_log` /*+ OPTIONS('scan.snapshot-id'='3') */")).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(ids("t")).containsExactlyInAnyOrder(1L, 2L);
        assertThat(warehouse.names("SELECT snapshot_id FROM `t$branch_x$snapshots`"))
                .containsExactly("2");
    }

    @Test
    void aStreamingReadBeginsWhereItsModeSays() throws Exception {
        long second = time(2);
        warehouse = new Warehouse(folder, CLUSTER.streaming());
        assertThat(followed("'scan.mode'='default'", 3)).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(followed("'scan.mode'='compacted-full'", 3))
                .as("without a compaction, the latest")
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(followed("'scan.mode'='from-creation-timestamp','scan.creation-time-millis'='" + second + "'", 2))
                .as("what was made at that time or later")
                .containsExactlyInAnyOrder(2L, 3L);
        warehouse.sql("CREATE TABLE latest (id BIGINT) WITH ('bucket'='-1')");
        warehouse.commit("latest", GenericRow.of(1L));
        try (CloseableIterator<Row> rows = warehouse
                .env()
                .executeSql("SELECT id FROM latest /*+ OPTIONS('scan.mode'='latest') */")
                .collect()) {
            Thread writer = new Thread(this::writeUntilInterrupted);
            writer.start();
            assertThat((Long) rows.next().getField(0))
                    .as("nothing that was there before")
                    .isGreaterThan(1L);
            writer.interrupt();
            writer.join();
        }
    }

    /** Snapshot 4 is the full compaction; 5 takes row 1 away and adds row 5. */
    @Test
    void aReadThatBeginsWithTheLastFullCompactionDoesSo() throws Exception {
        warehouse.compactFully("t", 1);
        warehouse.commit("t", GenericRow.ofKind(RowKind.DELETE, 1L), GenericRow.of(5L));
        assertThat(warehouse.names("SELECT commit_kind FROM `t$snapshots` WHERE snapshot_id >= 4"))
                .containsExactly("COMPACT", "APPEND");
        assertThat(ids("t")).containsExactlyInAnyOrder(2L, 3L, 5L);
        assertThat(ids("t /*+ OPTIONS('scan.mode'='compacted-full') */"))
                .as("a batch read ends with the snapshot it begins with")
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        warehouse = new Warehouse(folder, CLUSTER.streaming());
        try (CloseableIterator<Row> rows = warehouse
                .env()
                .executeSql("SELECT id FROM t /*+ OPTIONS('scan.mode'='compacted-full') */")
                .collect()) {
            assertThat(Stream.generate(rows::next).limit(5))
                    .containsExactlyInAnyOrder(
                            Row.of(1L),
                            Row.of(2L),
                            Row.of(3L),
                            Row.ofKind(org.apache.flink.types.RowKind.DELETE, 1L),
                            Row.of(5L));
        }
    }

    @Test
    void aPositionThatIsNotThereIsRefusedOnSystemTablesOfRowsToo() {
        for (String table : List.of("t$audit_log", "t$binlog", "t$ro")) {
            refused(
                    "SELECT * FROM `" + table + "` /*+ OPTIONS('scan.snapshot-id'='9') */",
                    "Table p.default." + table + ", option 'scan.snapshot-id' = '9' (hint of this statement): there is"
                            + " no such snapshot. The table has snapshots 1 to 3; name one of them");
        }
        refused(
                "SELECT * FROM `t$audit_log` /*+ OPTIONS('scan.tag-name'='no') */",
                "Table p.default.t$audit_log, option 'scan.tag-name' = 'no' (hint of this statement): the table has"
                        + " no tags");
        refused(
                "SELECT * FROM `t$ro` /*+ OPTIONS('scan.timestamp-millis'='1') */",
                "Table p.default.t$ro, option 'scan.timestamp-millis' = '1' (hint of this statement): no snapshot is"
                        + " that old. The earliest, 1, is of");
        warehouse.env().getConfig().set("paimon.p.default.t.scan.snapshot-id", "9");
        refused(
                "SELECT * FROM `t$audit_log`",
                "(SET 'paimon.p.default.t.scan.snapshot-id' in this session): there is no such snapshot");
    }

    /** A read that begins with the latest snapshot shows what is written once it runs, whenever that is. */
    private void writeUntilInterrupted() {
        try {
            for (long id = 2; !Thread.interrupted(); id++) {
                warehouse.commit("latest", GenericRow.of(id));
            }
        } catch (Exception e) {
            // The interrupt came in the middle of a commit.
        }
    }

    private List<Long> followed(String options, int rows) throws Exception {
        List<Long> ids = new ArrayList<>();
        try (CloseableIterator<Row> result = warehouse
                .env()
                .executeSql("SELECT id FROM t /*+ OPTIONS(" + options + ") */")
                .collect()) {
            while (ids.size() < rows) {
                ids.add((Long) result.next().getField(0));
            }
        }
        return ids;
    }

    private void refused(String statement, String message) {
        assertThatThrownBy(() -> warehouse.sql(statement)).rootCause().hasMessageContaining(message);
    }

    private List<Long> ids(String table) throws Exception {
        return warehouse.rows("SELECT id FROM " + table).stream()
                .map(row -> (Long) row.getField(0))
                .toList();
    }

    private long time(long snapshot) throws Exception {
        FileStoreTable table =
                (FileStoreTable) warehouse.catalog().catalog().getTable(Identifier.create("default", "t"));
        return table.snapshot(snapshot).timeMillis();
    }
}
