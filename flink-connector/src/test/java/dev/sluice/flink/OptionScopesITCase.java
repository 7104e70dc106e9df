/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.source.SharedCluster;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.table.FileStoreTable;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which of several values of an option holds in a statement; snapshot n of the table has the rows 1 to n. */
final class OptionScopesITCase {

    private static final String POSITION = "scan.snapshot-id";

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createTable() throws Exception {
        warehouse = new Warehouse(folder, CLUSTER.batch());
        warehouse.sql("CREATE TABLE t (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
        for (long id = 1; id <= 4; id++) {
            warehouse.commit("t", GenericRow.of(id));
        }
    }

    @Test
    void aHintWinsOverTheTablesSessionKeyThatOverTheSessionsThatOverTheTable() throws Exception {
        assertThat(count("t")).isEqualTo(4);
        warehouse.sql("ALTER TABLE t SET ('scan.snapshot-id'='1')");
        assertThat(count("t")).isEqualTo(1);
        set(POSITION, "2");
        assertThat(count("t")).isEqualTo(2);
        assertThat(count("t /*+ OPTIONS('scan.snapshot-id'='1') */"))
                .as("a hint that repeats the stored value")
                .isEqualTo(1);
        set("paimon.p.default.t.scan.snapshot-id", "3");
        set("paimon.p.default.other.scan.snapshot-id", "99");
        assertThat(count("t")).isEqualTo(3);
        assertThat(count("t /*+ OPTIONS('scan.snapshot-id'='4') */")).isEqualTo(4);
        reset("paimon.p.default.t.scan.snapshot-id");
        assertThat(count("t")).isEqualTo(2);
        reset(POSITION);
        assertThat(count("t")).isEqualTo(1);
        warehouse.sql("ALTER TABLE t RESET ('scan.snapshot-id')");
        assertThat(count("t")).isEqualTo(4);
    }

    @Test
    void theNextStatementsOptionsAreListed() throws Exception {
        warehouse.sql("ALTER TABLE t SET ('scan.snapshot-id'='1','snapshot.num-retained.min'='7')");
        set(POSITION, "2");
        set("paimon.*.*.t.scan.snapshot-id", "3");
        set("sink.parallelism", "5");
        Map<Object, Row> listed = warehouse.rows("CALL sys.effective_options('default.t')").stream()
                .collect(Collectors.toMap(row -> row.getField(0), row -> row));
        assertThat(listed.get(POSITION))
                .isEqualTo(Row.of(
                        POSITION,
                        "3",
                        "SET 'paimon.*.*.t.scan.snapshot-id' in this session",
                        "2 (SET 'scan.snapshot-id' in this session); 1 (stored with the table)",
                        null));
        assertThat(listed.get("sink.parallelism"))
                .isEqualTo(Row.of("sink.parallelism", "5", "SET 'sink.parallelism' in this session", "", null));
        assertThat(listed.get("bucket")).isEqualTo(Row.of("bucket", "1", "stored with the table", "", "-1"));
        assertThat(listed.get("lookup.async")).isEqualTo(Row.of("lookup.async", "false", "default", "", "false"));
        assertThat(warehouse.names("SHOW PROCEDURES FROM sys")).contains("effective_options", "create_tag");
        assertRoot(() -> warehouse.rows("CALL sys.effective_options('default.nothing')"))
                .hasMessage("There is no table 'nothing' in database 'default' of catalog 'p'. SHOW TABLES lists what"
                        + " there is.");
        assertRoot(() -> warehouse.rows("CALL sys.effective_options('t')"))
                .hasMessageStartingWith("'t' names no table; accepted is 'database.table'");
    }

    /** Flink leaves copies of what was SET in its own configuration when a job has run. */
    @Test
    @SuppressWarnings("deprecation") // No other call registers a catalog that exists.
    void whatHasBeenResetIsNotListedEvenAfterAJob() throws Exception {
        set(POSITION, "2");
        assertThat(count("t")).isEqualTo(2);
        assertThat(listedValue(POSITION)).contains("2");
        reset(POSITION);
        assertThat(listedValue(POSITION)).isEmpty();
        assertThat(count("t")).isEqualTo(4);
        TableEnvironment other = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        other.registerCatalog("p", warehouse.catalog());
        other.getConfig().set(POSITION, "3");
        set(POSITION, "1");
        assertThat(other.executeSql("CALL p.sys.effective_options('default.t')").collect())
                .toIterable()
                .as("the settings of the session that calls, not of the one that made the catalog")
                .filteredOn(row -> POSITION.equals(row.getField(0)))
                .extracting(row -> row.getField(1))
                .containsExactly("3");
    }

    @Test
    void aTimeInTheStatementWinsOverTheSession() throws Exception {
        warehouse.env().getConfig().setLocalTimeZone(ZoneOffset.UTC);
        String asOf = "t FOR SYSTEM_TIME AS OF TIMESTAMP '"
                + LocalDateTime.ofInstant(Instant.ofEpochMilli(time(2)), ZoneOffset.UTC)
                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS"))
                + "'";
        assertThat(count(asOf)).isEqualTo(2);
        set("scan.timestamp-millis", String.valueOf(time(3)));
        assertThat(count("t")).isEqualTo(3);
        assertThat(count(asOf)).isEqualTo(2);
        reset("scan.timestamp-millis");
        set(POSITION, "3");
        assertRoot(() -> count(asOf))
                .hasMessageContaining(
                        "'scan.timestamp-millis' = '" + time(2) + "' (hint of this statement): it excludes"
                                + " 'scan.snapshot-id' = '3' (SET 'scan.snapshot-id' in this session)")
                .hasMessageEndingWith("RESET 'scan.snapshot-id'.");
    }

    @Test
    void optionsOfOneSideDoNotReachTheOther() throws Exception {
        set("sink.parallelism", "none");
        assertThat(count("t")).isEqualTo(4);
        assertRoot(() -> insert("t")).hasMessageContaining("'sink.parallelism' = 'none'");
        reset("sink.parallelism");

        set(POSITION, "99");
        insert("t");
        assertRoot(() -> count("t"))
                .isInstanceOf(ValidationException.class)
                // The insert may also have compacted.
                .hasMessageMatching("Table p.default.t, option 'scan.snapshot-id' = '99' \\(SET 'scan.snapshot-id' in"
                        + " this session\\): there is no such snapshot. The table has snapshots 1 to [56]; name one of"
                        + " them, or leave the option out\\.");
        reset(POSITION);

        assertRoot(() -> insert("t /*+ OPTIONS('scan.snapshot-id'='1') */"))
                .hasMessageContaining("it is a read option and this reference to the table is written");
        assertRoot(() -> count("t /*+ OPTIONS('sink.parallelism'='1') */"))
                .hasMessageContaining("it is a write option and this reference to the table is read");
    }

    @Test
    void everythingWrongComesInOneMessageWithoutSecrets() {
        set("paimon.p.default.t.scan.snapshot_id", "1");
        set("scan.parallelism", "0");
        assertRoot(() -> count(
                        "t /*+ OPTIONS('skan.mode'='latest','bucket'='9','s3.secret-key'='hush','read-limit'='x') */"))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("Table p.default.t has 6 problems with its options.")
                .hasMessageContaining("'scan.snapshot_id' = '1' (SET 'paimon.p.default.t.scan.snapshot_id' in this"
                        + " session): no option has this key. Nearest known: 'scan.snapshot-id'")
                .hasMessageContaining("'scan.parallelism' = '0' (SET 'scan.parallelism' in this session): the value is"
                        + " not accepted")
                .hasMessageContaining("'skan.mode' = 'latest' (hint of this statement): no option has this key. Nearest"
                        + " known: 'scan.mode'")
                .hasMessageContaining("'bucket' = '9' (hint of this statement): it defines the table, which has '1'")
                .hasMessageContaining("ALTER TABLE p.`default`.t SET ('bucket' = '9')")
                .hasMessageContaining(
                        "'s3.secret-key' = '******' (hint of this statement): storage is opened with the" + " catalog")
                .hasMessageNotContaining("hush");
    }

    @Test
    void aTableWithForeignKeysIsReadAndWritten() throws Exception {
        FileStoreTable table =
                (FileStoreTable) warehouse.catalog().catalog().getTable(Identifier.create("default", "t"));
        table.schemaManager()
                .commitChanges(org.apache.paimon.schema.SchemaChange.setOption("other-engine.key", "its value"));
        warehouse = new Warehouse(folder, CLUSTER.batch());
        insert("t");
        assertThat(count("t")).isEqualTo(5);
        assertRoot(() -> warehouse.sql("ALTER TABLE t SET ('other-engine.kee'='x')"))
                .hasMessageContaining("'other-engine.kee' = 'x' (ALTER TABLE SET): no option has this key");
        warehouse.sql("ALTER TABLE t RESET ('other-engine.key')");
    }

    @Test
    void namesAreComparedAsText() throws Exception {
        warehouse.sql("CREATE CATALOG `my.cat` WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'one', snapshot_id => CAST(1 AS BIGINT))");
        warehouse.sql("CALL sys.create_branch('default.t', 'x', 'one')");
        String table = "`my.cat`.`default`.t";
        set("paimon.`my.cat`.default.t.scan.snapshot-id", "2");
        set("paimon.my.cat.default.scan.snapshot-id", "99");
        assertThat(count(table)).isEqualTo(2);
        assertThat(count("t")).isEqualTo(4);
        set("paimon.p.default.t$branch_x.scan.snapshot-id", "1");
        assertThat(count("`t$branch_x`")).isEqualTo(1);
        assertThat(count("t")).isEqualTo(4);
        assertRoot(() -> count("`t$branch_x` /*+ OPTIONS('scan.snapshot-id'='4') */"))
                .hasMessageContaining("Table p.default.t$branch_x, option 'scan.snapshot-id' = '4'")
                .hasMessageContaining("The table has snapshots 1 to 1");

        warehouse.sql("CREATE TABLE `o'né.+` (id BIGINT) WITH ('bucket'='-1')");
        warehouse.commit("o'né.+", GenericRow.of(1L));
        warehouse.commit("o'né.+", GenericRow.of(2L));
        set("paimon.p.*.`o'né.+`.scan.snapshot-id", "1");
        assertThat(count("`o'né.+`")).isEqualTo(1);
        assertThat(warehouse.rows("CALL sys.effective_options('default.`o''né.+`')"))
                .anySatisfy(row -> assertThat(row.getField(2))
                        .isEqualTo("SET 'paimon.p.*.`o'né.+`.scan.snapshot-id' in this session"));
    }

    @Test
    void twoReferencesWithDifferentHintsAreTwoScans() throws Exception {
        String first = "SELECT id FROM t /*+ OPTIONS('scan.snapshot-id'='1') */";
        assertThat(warehouse.rows(first + " UNION ALL SELECT id FROM t /*+ OPTIONS('scan.snapshot-id'='2') */"))
                .containsExactlyInAnyOrder(Row.of(1L), Row.of(1L), Row.of(2L));
        assertThat(explain(first)).isNotEqualTo(explain("SELECT id FROM t")).contains("scan.snapshot-id=1");
    }

    @Test
    void eachStartModeOfABoundedReadBeginsWhereItSays() throws Exception {
        assertThat(count(mode("default"))).isEqualTo(4);
        assertThat(count(mode("latest-full"))).isEqualTo(4);
        assertThat(count(mode("latest"))).isEqualTo(4);
        assertThat(count(mode("compacted-full")))
                .as("without a compaction, the latest")
                .isEqualTo(4);
        assertThat(count(mode("from-snapshot", "scan.snapshot-id", "2"))).isEqualTo(2);
        assertThat(count(mode("from-snapshot-full", "scan.snapshot-id", "3"))).isEqualTo(3);
        long second = time(2);
        long third = time(3);
        assertThat(count(mode("from-timestamp", "scan.timestamp-millis", String.valueOf(second))))
                .isEqualTo(2);
        assertThat(count(mode("from-timestamp", "scan.timestamp-millis", String.valueOf(third - 1))))
                .isEqualTo(2);
        assertThat(count(mode("incremental", "incremental-between", "1,3"))).isEqualTo(2);
        assertThat(count(mode("from-creation-timestamp", "scan.creation-time-millis", String.valueOf(third))))
                .isEqualTo(3);
        assertRoot(() -> count(mode("from-timestamp", "scan.timestamp-millis", "1")))
                .hasMessageContaining("no snapshot is that old. The earliest, 1, is of " + time(1));
        assertRoot(() -> count(mode("from-snapshot")))
                .hasMessageContaining("this mode begins where one of 'scan.snapshot-id'");
    }

    /** In no order: the rows of a table with a primary key come through operators that hash by the key. */
    @Test
    void eachStartModeOfAStreamingReadBeginsWhereItSays() throws Exception {
        warehouse = new Warehouse(folder, CLUSTER.streaming());
        assertThat(first(4, mode("latest-full"))).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        assertThat(first(2, mode("from-snapshot", "scan.snapshot-id", "3"))).containsExactlyInAnyOrder(3L, 4L);
        assertThat(first(4, mode("from-snapshot-full", "scan.snapshot-id", "3")))
                .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        assertThat(first(2, mode("from-timestamp", "scan.timestamp-millis", String.valueOf(time(3)))))
                .containsExactlyInAnyOrder(3L, 4L);
        assertRoot(() -> first(1, mode("from-snapshot", "scan.snapshot-id", "9")))
                .hasMessageContaining("The table has snapshots 1 to 4");
        assertRoot(() -> first(1, mode("incremental", "incremental-between", "1,3")))
                .hasMessageContaining("a read that begins there ends there too")
                .hasMessageContaining("SET 'execution.runtime-mode' = 'batch';");
    }

    /** Flink wraps what a factory throws; clients show the deepest cause. */
    private static AbstractThrowableAssert<?, ?> assertRoot(ThrowingCallable call) {
        Throwable root = catchThrowable(call);
        assertThat(root).isNotNull();
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return assertThat(root);
    }

    private static String mode(String mode, String... position) {
        String more = position.length == 0 ? "" : ",'" + position[0] + "'='" + position[1] + "'";
        return "t /*+ OPTIONS('scan.mode'='" + mode + "'" + more + ") */";
    }

    private long time(long snapshot) throws Exception {
        FileStoreTable table =
                (FileStoreTable) warehouse.catalog().catalog().getTable(Identifier.create("default", "t"));
        return table.snapshot(snapshot).timeMillis();
    }

    private void set(String key, String value) {
        warehouse.env().getConfig().set(key, value);
    }

    private void reset(String key) {
        warehouse.env().getConfig().getConfiguration().removeKey(key);
    }

    private long count(String table) throws Exception {
        return warehouse.rows("SELECT id FROM " + table).size();
    }

    private List<Long> first(int rows, String table) throws Exception {
        try (CloseableIterator<Row> result =
                warehouse.env().executeSql("SELECT id FROM " + table).collect()) {
            List<Long> ids = new java.util.ArrayList<>();
            while (ids.size() < rows && result.hasNext()) {
                ids.add((Long) result.next().getField(0));
            }
            return ids;
        }
    }

    private List<String> listedValue(String key) throws Exception {
        return warehouse.rows("CALL sys.effective_options('default.t')").stream()
                .filter(row -> key.equals(row.getField(0)))
                .map(row -> String.valueOf(row.getField(1)))
                .toList();
    }

    private void insert(String table) throws Exception {
        warehouse.env().executeSql("INSERT INTO " + table + " VALUES (5)").await();
    }

    private String explain(String query) {
        return warehouse.env().explainSql(query);
    }
}
