/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code FOR SYSTEM_TIME AS OF}; snapshot n of the table has the rows 1 to n. */
final class TimeTravelITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createTable() throws Exception {
        warehouse = new Warehouse(folder);
        warehouse.env().getConfig().setLocalTimeZone(ZoneOffset.UTC);
        warehouse.sql("CREATE TABLE t (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
        for (long id = 1; id <= 3; id++) {
            warehouse.commit("t", GenericRow.of(id));
        }
    }

    @Test
    void eachTimeIsAScanOfItsOwn() throws Exception {
        String one = "SELECT id FROM t " + asOf("t", 1);
        String two = "SELECT id FROM t " + asOf("t", 2);
        String now = "SELECT id FROM t";
        assertThat(warehouse.names(one + " UNION ALL " + two)).containsExactlyInAnyOrder("1", "1", "2");
        assertThat(warehouse.names(one + " UNION ALL " + now)).containsExactlyInAnyOrder("1", "1", "2", "3");
        assertThat(warehouse.names(two + " EXCEPT " + one)).containsExactly("2");
        assertThat(warehouse.rows("SELECT a.id, b.id FROM (SELECT id FROM t " + asOf("t", 3)
                        + ") AS a LEFT JOIN (SELECT id FROM t " + asOf("t", 2) + ") AS b ON a.id = b.id"))
                .containsExactlyInAnyOrder(Row.of(1L, 1L), Row.of(2L, 2L), Row.of(3L, null));
        assertThat(warehouse.rows("SELECT a.id, b.id FROM t AS a LEFT JOIN (SELECT id FROM t " + asOf("t", 1)
                        + ") AS b ON a.id = b.id"))
                .containsExactlyInAnyOrder(Row.of(1L, 1L), Row.of(2L, null), Row.of(3L, null));
    }

    /** Flink's planner would read the present there. */
    @Test
    void aTimeBesideAnAliasIsRefusedAndALookupJoinIsNot() throws Exception {
        assertThatThrownBy(() -> warehouse.rows("SELECT a.id FROM t " + asOf("t", 2) + " AS a"))
                .hasMessageStartingWith("Table p.default.t has an alias beside FOR SYSTEM_TIME AS OF");
        assertThatThrownBy(() ->
                        warehouse.rows("SELECT a.id, b.id FROM t AS a JOIN t " + asOf("t", 2) + " AS b ON a.id = b.id"))
                .hasMessageStartingWith("Table p.default.t has an alias beside FOR SYSTEM_TIME AS OF");
        assertThatThrownBy(() ->
                        warehouse.rows("SELECT a.id, b.id FROM t " + asOf("t", 2) + " AS b JOIN t AS a ON a.id = b.id"))
                .hasMessageStartingWith("Table p.default.t has an alias beside FOR SYSTEM_TIME AS OF");
        assertThat(warehouse.names("SELECT t.id FROM t " + asOf("t", 2) + " WHERE t.id > 1"))
                .containsExactly("2");
        assertThat(warehouse.names("SELECT b.id FROM (SELECT id, PROCTIME() AS now FROM t " + asOf("t", 2)
                        + ") AS a JOIN t FOR SYSTEM_TIME AS OF a.now AS b ON a.id + 1 = b.id"))
                .containsExactlyInAnyOrder("2", "3");
        assertThat(warehouse.names("SELECT b.id FROM (SELECT id, PROCTIME() AS now FROM t) AS a"
                        + " JOIN t FOR SYSTEM_TIME AS OF a.now AS b ON a.id + 1 = b.id"))
                .containsExactlyInAnyOrder("2", "3");
    }

    @Test
    void theTimeIsSeenInThePlan() throws Exception {
        String plan = warehouse.env().explainSql("SELECT id FROM t " + asOf("t", 2) + " WHERE id > 1");
        assertThat(plan).contains("t$as_of_" + time("t", 2));
        assertThat(warehouse.names("SELECT id FROM t " + asOf("t", 2) + " WHERE id > 1"))
                .containsExactly("2");
    }

    @Test
    void theColumnsAreThoseOfTheTimeAndNamesMayBeAnything() throws Exception {
        warehouse.sql("CREATE DATABASE `d'b`");
        warehouse.sql("CREATE TABLE w (`a``b é` INT, twice AS `a``b é` * 2, `select` STRING) WITH ('bucket'='-1')");
        warehouse.commit("w", GenericRow.of(1, BinaryString.fromString("x")));
        warehouse.sql("ALTER TABLE w ADD later STRING");
        warehouse.commit("w", GenericRow.of(2, BinaryString.fromString("y"), BinaryString.fromString("z")));
        assertThat(warehouse.rows("SELECT * FROM w " + asOf("w", 1))).containsExactly(Row.of(1, 2, "x"));
        assertThat(warehouse.rows("SELECT * FROM w " + asOf("w", 2)))
                .containsExactlyInAnyOrder(Row.of(1, 2, "x", null), Row.of(2, 4, "y", "z"));
        assertThat(warehouse.rows("SELECT `a``b é`, later FROM w " + asOf("w", 2)
                        + " EXCEPT SELECT `a``b é`, `select` FROM w " + asOf("w", 1)))
                .containsExactlyInAnyOrder(Row.of(1, null), Row.of(2, "z"));
    }

    @Test
    void aTextIsATimeInTheSessionsZone() throws Exception {
        for (String zone : List.of("Asia/Tokyo", "America/New_York", "UTC")) {
            warehouse.env().getConfig().setLocalTimeZone(ZoneId.of(zone));
            String text = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS")
                    .withZone(ZoneId.of(zone))
                    .format(Instant.ofEpochMilli(time("t", 2)));
            String hint = " /*+ OPTIONS('scan.timestamp'='" + text + "') */";
            assertThat(warehouse.names("SELECT id FROM t" + hint)).as(zone).containsExactlyInAnyOrder("1", "2");
            assertThat(warehouse.names("SELECT id FROM `t$audit_log`" + hint))
                    .as(zone)
                    .containsExactlyInAnyOrder("1", "2");
        }
        assertThatThrownBy(
                        () -> warehouse.rows("SELECT id FROM t /*+ OPTIONS('scan.timestamp'='2020-01-01 00:00:00') */"))
                .hasStackTraceContaining(
                        "option 'scan.timestamp' = '2020-01-01 00:00:00' (hint of this statement): no snapshot is that old");
        assertThatThrownBy(() -> warehouse.rows("SELECT id FROM t /*+ OPTIONS('scan.timestamp'='yesterday') */"))
                .hasStackTraceContaining(
                        "option 'scan.timestamp' = 'yesterday' (hint of this statement): this is no time."
                                + " Accepted is a text like '2026-01-31 13:45:00', in the session's zone UTC");
    }

    @Test
    void sessionOptionsOfTheTableReachItAndStoredPositionsExcludeIt() throws Exception {
        warehouse.env().getConfig().set("paimon.p.default.t.scan.snapshot-id", "3");
        assertThatThrownBy(() -> warehouse.rows("SELECT id FROM t " + asOf("t", 2)))
                .rootCause()
                .hasMessageContaining(
                        "it excludes 'scan.snapshot-id' = '3' (SET 'paimon.p.default.t.scan.snapshot-id'");
        warehouse.env().getConfig().getConfiguration().removeKey("paimon.p.default.t.scan.snapshot-id");
        warehouse.sql("ALTER TABLE t SET ('scan.snapshot-id'='1')");
        assertThatThrownBy(() -> warehouse.rows("SELECT id FROM t " + asOf("t", 2)))
                .rootCause()
                .hasMessageStartingWith("Table p.default.t, option 'scan.timestamp-millis' = '" + time("t", 2) + "'")
                .hasMessageContaining("it excludes 'scan.snapshot-id' = '1' (stored with the table): both say where the"
                        + " read begins")
                .hasMessageEndingWith("ALTER TABLE p.`default`.t RESET ('scan.snapshot-id').");
    }

    @Test
    void aTimeBeforeTheFirstSnapshotIsRefusedInAWordThatNamesTheTime() {
        assertThatThrownBy(
                        () -> warehouse.rows("SELECT id FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00'"))
                .rootCause()
                .hasMessageStartingWith("Table p.default.t as of 2020-01-01T00:00:00Z, option 'scan.timestamp-millis'")
                .hasMessageContaining("no snapshot is that old");
        assertThatThrownBy(() -> warehouse.sql("INSERT INTO `t$as_of_1577836800000` VALUES (9)"))
                .rootCause()
                .hasMessageContaining("is the past of a table and cannot be written");
        assertThatThrownBy(() -> warehouse.sql("DROP TABLE `t$as_of_1577836800000`"))
                .rootCause()
                .hasMessageContaining("t$as_of_1577836800000");
    }

    @Test
    void systemTablesAndBranchesTravelToo() throws Exception {
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'two', snapshot_id => CAST(2 AS BIGINT))");
        warehouse.sql("CALL sys.create_branch('default.t', 'x', 'two')");
        assertThat(warehouse.names("SELECT id FROM `t$branch_x` " + asOf("t", 2)))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(warehouse.names("SELECT id FROM `t$audit_log` " + asOf("t", 1) + " UNION ALL SELECT id FROM"
                        + " `t$audit_log` " + asOf("t", 2)))
                .containsExactlyInAnyOrder("1", "1", "2");
    }

    @Test
    void aStreamingReadGoesOnFromItsOwnTime() throws Exception {
        List<String> times = List.of(asOf("t", 2), asOf("t", 3));
        warehouse = new Warehouse(folder, EnvironmentSettings.inStreamingMode());
        warehouse.env().getConfig().setLocalTimeZone(ZoneOffset.UTC);
        try (CloseableIterator<Row> rows = warehouse
                .env()
                .executeSql("SELECT 'two', id FROM t " + times.get(0) + " UNION ALL SELECT 'three', id FROM t "
                        + times.get(1))
                .collect()) {
            List<Row> first =
                    java.util.stream.Stream.generate(rows::next).limit(3).toList();
            assertThat(first).containsExactlyInAnyOrder(Row.of("two", 2L), Row.of("two", 3L), Row.of("three", 3L));
        }
    }

    /** Flink makes the sink of a compiled plan without asking the catalog, so it is one with a connector. */
    @Test
    void aCompiledPlanKeepsTheTime() throws Exception {
        warehouse.sql("CREATE TABLE copy (id BIGINT) WITH ('bucket'='-1')");
        warehouse.sql("CREATE TEMPORARY TABLE sink (id BIGINT) WITH ('connector'='paimon','path'='"
                + warehouse.tableFolder("copy").toUri() + "')");
        String plan = warehouse
                .env()
                .compilePlanSql("INSERT INTO sink SELECT id FROM t " + asOf("t", 2))
                .asJsonString();
        warehouse.env().loadPlan(PlanReference.fromJsonString(plan)).execute().await();
        assertThat(warehouse.names("SELECT id FROM copy")).containsExactlyInAnyOrder("1", "2");
    }

    private String asOf(String table, long snapshot) throws Exception {
        return "FOR SYSTEM_TIME AS OF TIMESTAMP '"
                + LocalDateTime.ofInstant(Instant.ofEpochMilli(time(table, snapshot)), ZoneOffset.UTC)
                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS"))
                + "'";
    }

    private long time(String table, long snapshot) throws Exception {
        FileStoreTable stored =
                (FileStoreTable) warehouse.catalog().catalog().getTable(Identifier.create("default", table));
        return stored.snapshot(snapshot).timeMillis();
    }
}
