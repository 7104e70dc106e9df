/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.SharedCluster;
import dev.sluice.flink.source.TestTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
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

/** What the planner hands to a scan, each shown in the plan and by the rows that come out. */
final class PushDownITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path folder;

    private TestTables tables;
    private TableEnvironment env;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
        env = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(CLUSTER.statements())
                .build());
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
        env.executeSql("USE CATALOG p");
        env.executeSql("USE db");
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private List<String> rows(String sql) throws Exception {
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(row -> rows.add(row.toString()));
        }
        return rows;
    }

    /** The scan in the plan, with what was pushed into it. */
    private String scan(String sql) {
        return env.explainSql(sql)
                .lines()
                .dropWhile(line -> !line.contains("Optimized Execution Plan"))
                .filter(line -> line.contains("TableSourceScan"))
                .findFirst()
                .orElseThrow();
    }

    private boolean calculates(String sql) {
        String plan = env.explainSql(sql);
        return plan.substring(plan.indexOf("Optimized Execution Plan")).contains("where=");
    }

    private static BinaryString text(String text) {
        return BinaryString.fromString(text);
    }

    @Test
    void fieldsOfRowsAreReadAlone() throws Exception {
        for (boolean keyed : List.of(false, true)) {
            String name = keyed ? "keyed" : "plain";
            Schema.Builder schema = Schema.newBuilder()
                    .column("id", DataTypes.INT().notNull())
                    .column(
                            "person",
                            DataTypes.ROW(
                                    DataTypes.FIELD(2, "name", DataTypes.STRING()),
                                    DataTypes.FIELD(
                                            3,
                                            "home",
                                            DataTypes.ROW(
                                                    DataTypes.FIELD(4, "city", DataTypes.STRING()),
                                                    DataTypes.FIELD(5, "zip", DataTypes.INT())))))
                    .column("person_name", DataTypes.STRING());
            Table table = tables.create(
                    name, keyed ? schema.primaryKey("id").option("bucket", "1").build() : schema.build());
            TestTables.write(
                    table,
                    GenericRow.of(1, GenericRow.of(text("a"), GenericRow.of(text("x"), 7)), text("A")),
                    GenericRow.of(2, null, text("B")),
                    GenericRow.of(3, GenericRow.of(text("c"), null), text("C")));

            String sql = "SELECT t.person.home.zip, t.person.name, t.id, t.person_name FROM " + name + " t";
            assertThat(rows(sql))
                    .containsExactlyInAnyOrder("+I[7, a, 1, A]", "+I[null, null, 2, B]", "+I[null, c, 3, C]");
            assertThat(scan(sql)).contains("person_home_zip");
            assertThat(rows("SELECT t.id FROM " + name + " t WHERE t.person.home.zip = 7 AND t.person_name = 'A'"))
                    .containsExactly("+I[1]");
            assertThat(rows("SELECT t.person, t.person.home.city FROM " + name + " t WHERE id = 1"))
                    .containsExactly("+I[+I[a, +I[x, 7]], x]");
            assertThat(rows("SELECT t.person.name FROM " + name + " t WHERE t.person_name <> 'C'"))
                    .containsExactlyInAnyOrder("+I[a]", "+I[null]");
        }
    }

    @Test
    void exactConditionsLeaveNothingToCalculate() throws Exception {
        Table table = tables.create(
                "t",
                Schema.newBuilder()
                        .column("i", DataTypes.INT())
                        .column("s", DataTypes.STRING())
                        .column("v", DataTypes.VARCHAR(3))
                        .column("c", DataTypes.CHAR(4))
                        .column("d", DataTypes.DECIMAL(6, 2))
                        .column("ts", DataTypes.TIMESTAMP(3))
                        .column("ltz", DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6))
                        .column("b", DataTypes.BOOLEAN())
                        .column("f", DataTypes.DOUBLE())
                        .build());
        TestTables.write(
                table,
                GenericRow.of(
                        1,
                        text("abc"),
                        text("abc"),
                        text("ab  "),
                        Decimal.fromUnscaledLong(150, 6, 2),
                        Timestamp.fromEpochMillis(1_700_000_000_123L),
                        Timestamp.fromMicros(1_700_000_000_123_456L),
                        true,
                        Double.NaN),
                GenericRow.of(
                        2,
                        text("abd"),
                        text("b"),
                        text("abcd"),
                        Decimal.fromUnscaledLong(-150, 6, 2),
                        Timestamp.fromEpochMillis(1_700_000_000_124L),
                        Timestamp.fromMicros(1_700_000_000_123_457L),
                        false,
                        1.0),
                GenericRow.of(3, null, null, null, null, null, null, null, null));

        env.getConfig().set("table.local-time-zone", "UTC");
        checkExact("i IN (1, 3)", 1, 3);
        checkExact("i NOT IN (1, 3)", 2);
        checkExact("i BETWEEN 2 AND 3", 2, 3);
        checkExact("NOT (i = 1 OR s = 'abd')");
        checkExact("s LIKE 'ab%'", 1, 2);
        checkExact("s IS NULL", 3);
        checkExact("s > 'abc' OR i = 1", 1, 2);
        checkExact("d >= 1.5", 1);
        checkExact("b", 1);
        checkExact("NOT b", 2);
        checkExact("ts < TIMESTAMP '2023-11-14 22:13:20.124'", 1);
        check("NOT (s LIKE 'abc%')", 2);
        check("s LIKE 'a%c'", 1);
        check("s LIKE '_bd'", 2);
        check("v = 'abcdef'");
        check("v < 'abcdef'", 1);
        check("v LIKE 'abcdef%'");
        check("c LIKE 'abc%'", 2);
        check("c = 'abcd'", 2);
        check("c > 'abc'", 2);
        check("ts < TIMESTAMP '2023-11-14 22:13:20.123456'", 1);
        check("ts = TIMESTAMP '2023-11-14 22:13:20.123456'");
        check("ltz = TO_TIMESTAMP_LTZ(1700000000123, 3)");
        check("ltz > CAST(TIMESTAMP '2023-11-14 22:13:20.123456' AS TIMESTAMP_LTZ(6))", 2);
        check("f <> 1e0", 1);
        check("f > 5e-1 AND i < 5", 2);
        check("i > 3000000000");
        check("i < 3000000000 AND i > 1.5", 2, 3);
    }

    private void check(String condition, int... ids) throws Exception {
        List<String> expected = new ArrayList<>();
        for (int id : ids) {
            expected.add("+I[" + id + "]");
        }
        assertThat(rows("SELECT i FROM t WHERE " + condition))
                .as(condition)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void checkExact(String condition, int... ids) throws Exception {
        check(condition, ids);
        assertThat(calculates("SELECT i FROM t WHERE " + condition))
                .as(condition)
                .isFalse();
    }

    /** Old files have the narrower type, to which a condition must not be cut. */
    @Test
    void conditionsHoldAcrossChangesOfTypes() throws Exception {
        Table table = tables.create(
                "t",
                Schema.newBuilder()
                        .column("i", DataTypes.INT())
                        .column("ts", DataTypes.TIMESTAMP(3))
                        .column("ltz", DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3))
                        .column("n", DataTypes.INT())
                        .column("d", DataTypes.DECIMAL(4, 1))
                        .build());
        Timestamp third = Timestamp.fromEpochMillis(1_700_000_000_123L);
        TestTables.write(table, GenericRow.of(1, third, third, 7, Decimal.fromUnscaledLong(15, 4, 1)));
        env.executeSql("ALTER TABLE t MODIFY ts TIMESTAMP(6)");
        env.executeSql("ALTER TABLE t MODIFY ltz TIMESTAMP_LTZ(6)");
        env.executeSql("ALTER TABLE t MODIFY n BIGINT");
        env.executeSql("ALTER TABLE t MODIFY d DECIMAL(8, 3)");
        env.executeSql("ALTER TABLE t ADD later INT");
        Timestamp sixth = Timestamp.fromMicros(1_700_000_000_123_456L);
        TestTables.write(
                ((FileStoreTable) tables.engineTable("t")).copyWithLatestSchema(),
                GenericRow.of(2, sixth, sixth, 5_000_000_000L, Decimal.fromUnscaledLong(1499, 8, 3), 1));
        env.getConfig().set("table.local-time-zone", "UTC");

        check("ts < TIMESTAMP '2023-11-14 22:13:20.123456'", 1);
        check("ts >= TIMESTAMP '2023-11-14 22:13:20.123'", 1, 2);
        check("ts <> TIMESTAMP '2023-11-14 22:13:20.123456'", 1);
        check("ts = TIMESTAMP '2023-11-14 22:13:20.123'", 1);
        check("ltz < CAST(TIMESTAMP '2023-11-14 22:13:20.123456' AS TIMESTAMP_LTZ(6))", 1);
        check("ltz > CAST(TIMESTAMP '2023-11-14 22:13:20.123' AS TIMESTAMP_LTZ(6))", 2);
        check("n < 5000000000", 1);
        check("n <> 5000000007", 1, 2);
        check("d < 1.5", 2);
        check("d > 1.499", 1);
        check("d <> 1.499", 1);
        check("later IS NULL", 1);
        check("later <> 5", 2);
    }

    private void partitioned() throws Exception {
        Table table = tables.create(
                "parts",
                Schema.newBuilder()
                        .column("dt", DataTypes.STRING())
                        .column("hr", DataTypes.INT())
                        .column("id", DataTypes.INT())
                        .column("x", DataTypes.BIGINT())
                        .partitionKeys("dt", "hr")
                        .build());
        List<InternalRow> rows = new ArrayList<>();
        for (int id = 0; id < 12; id++) {
            rows.add(GenericRow.of(text("d" + id / 6), id / 3 % 2, id, id % 4 == 0 ? null : id * 10L));
        }
        TestTables.write(table, false, rows);
    }

    @Test
    void partitionsAreChosenByConditionsAndByOption() throws Exception {
        partitioned();

        String sql = "SELECT id FROM parts WHERE dt = 'd1' AND hr IN (1, 5)";
        assertThat(rows(sql)).containsExactlyInAnyOrder("+I[9]", "+I[10]", "+I[11]");
        assertThat(calculates(sql)).isFalse();
        assertThat(rows("SELECT COUNT(*) FROM parts /*+ OPTIONS('scan.partitions'='max_pt()') */"))
                .containsExactly("+I[3]");
        assertThat(rows("SELECT id FROM parts /*+ OPTIONS('scan.partitions'='dt=d0,hr=1;dt=d1,hr=0') */ WHERE id <> 4"))
                .containsExactlyInAnyOrder("+I[3]", "+I[5]", "+I[6]", "+I[7]", "+I[8]");
        assertThat(rows("SELECT id FROM parts /*+ OPTIONS('scan.partitions'='dt=max_pt(),hr=0') */"))
                .containsExactlyInAnyOrder("+I[6]", "+I[7]", "+I[8]");
        assertThatThrownBy(() -> env.explainSql("SELECT id FROM parts /*+ OPTIONS('scan.partitions'='day=1') */"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "option 'scan.partitions' = 'day=1': 'day' is no partition key; those are [dt, hr]");
        assertThatThrownBy(() -> env.explainSql("SELECT id FROM parts /*+ OPTIONS('read.allow.fullScan'='false') */"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table p.db.parts would be read whole")
                .hasMessageContaining("Filter by its partition keys [dt, hr]");
        assertThatThrownBy(() -> env.explainSql(
                        "SELECT id FROM parts /*+ OPTIONS('read.allow.fullScan'='false') */ WHERE dt = 'd1' OR id = 3"))
                .as("a condition that leaves no partition out")
                .hasMessageContaining("Table p.db.parts would be read whole");
        assertThat(
                        rows(
                                "SELECT id FROM parts /*+ OPTIONS('read.allow.fullScan'='false') */ WHERE dt = 'd1' AND id = 7"))
                .containsExactly("+I[7]");
    }

    @Test
    void countsAndExtremesComeFromMetadata() throws Exception {
        partitioned();
        boolean known = true;

        checkAggregate(known, "SELECT COUNT(*), COUNT(x), MIN(x), MAX(id) FROM parts", "+I[12, 9, 10, 11]");
        checkAggregate(known, "SELECT dt, COUNT(*), MAX(x) FROM parts GROUP BY dt", "+I[d0, 6, 50]", "+I[d1, 6, 110]");
        checkAggregate(known, "SELECT COUNT(x), hr FROM parts WHERE dt = 'd0' GROUP BY hr", "+I[2, 0]", "+I[2, 1]");
        checkAggregate(known, "SELECT MIN(hr), MAX(hr) FROM parts WHERE dt = 'd1'", "+I[0, 1]");
        // Told that there are no rows, Flink sees no need for a local aggregate.
        checkAggregate(!known, "SELECT COUNT(*) FROM parts WHERE dt = 'nowhere'", "+I[0]");
        checkAggregate(!known, "SELECT COUNT(*) FROM parts WHERE id > 3", "+I[8]");
        checkAggregate(!known, "SELECT SUM(x), COUNT(DISTINCT hr) FROM parts", "+I[540, 2]");
        checkAggregate(!known, "SELECT hr, MAX(dt) FROM parts WHERE x < 45 GROUP BY hr", "+I[0, d0]", "+I[1, d0]");
    }

    /** Flink offers these to a source as if the expression were the scan's first column. */
    @Test
    void aggregatesOfExpressionsAreCalculated() throws Exception {
        partitioned();

        checkAggregate(false, "SELECT COUNT(CASE WHEN x > 45 THEN 1 END) FROM parts", "+I[6]");
        checkAggregate(false, "SELECT UPPER(dt), COUNT(*) FROM parts GROUP BY UPPER(dt)", "+I[D0, 6]", "+I[D1, 6]");
        checkAggregate(
                false,
                "SELECT up, COUNT(*) FROM (SELECT UPPER(dt) AS up FROM parts) GROUP BY up",
                "+I[D0, 6]",
                "+I[D1, 6]");
        // With the option Flink's planner fails on this one.
        assertThat(rows("SELECT COUNT(CASE WHEN x > 45 THEN 1 END), COUNT(CASE WHEN x > 95 THEN 1 END) FROM parts"))
                .containsExactly("+I[6, 2]");
        assertThat(rows("SELECT COUNT(*) FROM parts")).containsExactly("+I[12]");
    }

    @Test
    void rowsOfATableWithManyColumnsAreCountedWithoutTheOption() throws Exception {
        Schema.Builder schema = Schema.newBuilder();
        for (int i = 0; i < 8; i++) {
            schema.column("c" + i, DataTypes.INT());
        }
        Table table = tables.create("wide", schema.build());
        TestTables.write(table, GenericRow.of(1, 2, 3, 4, 5, 6, 7, 8), GenericRow.of(11, null, 13, 14, 15, 16, 17, 18));

        assertThat(scan("SELECT COUNT(*) FROM wide")).contains("aggregates=[");
        assertThat(rows("SELECT COUNT(*) FROM wide")).containsExactly("+I[2]");
        // What the planner would fail on, or offer as if it were about the columns.
        String expressions = "SELECT COUNT(*), COUNT(CASE WHEN c0 > 1 THEN 1 END), COUNT(CASE WHEN c0 > 20 THEN 1 END),"
                + " COUNT(c1 + 1), MIN(c2), MAX(c3) FROM wide";
        assertThat(scan(expressions)).doesNotContain("aggregates=[");
        assertThat(rows(expressions)).containsExactly("+I[2, 1, 0, 1, 3, 14]");
        assertThat(rows("SELECT COUNT(*) FROM wide WHERE c0 > 1")).containsExactly("+I[1]");
        assertThat(rows("SELECT c0, COUNT(*) FROM wide GROUP BY c0"))
                .containsExactlyInAnyOrder("+I[1, 1]", "+I[11, 1]");
    }

    private void checkAggregate(boolean known, String withoutHint, String... expected) throws Exception {
        String sql =
                withoutHint.replaceFirst("FROM (\\w+)", "FROM $1 /*+ OPTIONS('scan.aggregate-push-down'='true') */");
        assertThat(scan(sql).contains("aggregates=[")).as(sql).isEqualTo(known);
        assertThat(rows(sql)).as(sql).containsExactlyInAnyOrder(expected);
    }

    @Test
    void keyedTablesAreCountedFromMetadataOnlyWhereItIsExact() throws Exception {
        Table table = tables.create(
                "k",
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column("x", DataTypes.INT())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .build());
        TestTables.write(table, GenericRow.of(1, 10), GenericRow.of(2, null), GenericRow.of(3, 30));
        TestTables.write(table, GenericRow.of(1, 11), GenericRow.ofKind(RowKind.DELETE, 3, 30));

        checkAggregate(false, "SELECT COUNT(*), COUNT(x), MIN(id), MAX(x) FROM k", "+I[2, 1, 1, 11]");
        TestTables.write(tables.engineTable("k"), true, List.of(GenericRow.of(4, 40)));
        checkAggregate(true, "SELECT COUNT(*) FROM k", "+I[3]");
        checkAggregate(false, "SELECT COUNT(x), MAX(id) FROM k", "+I[2, 4]");
    }

    @Test
    void deletedRowsAreNotCounted() throws Exception {
        Table table = tables.create(
                "dv",
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column("x", DataTypes.INT())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .option("deletion-vectors.enabled", "true")
                        .build());
        TestTables.write(table, true, List.of(GenericRow.of(1, 10), GenericRow.of(2, 20), GenericRow.of(3, 30)));
        TestTables.write(table, GenericRow.ofKind(RowKind.DELETE, 3, 30));

        checkAggregate(false, "SELECT COUNT(*), MAX(x) FROM dv", "+I[2, 20]");
        checkAggregate(true, "SELECT COUNT(*) FROM dv", "+I[2]");
    }

    @Test
    void limitsCountRowsThatMeetTheConditions() throws Exception {
        partitioned();

        assertThat(rows("SELECT id FROM parts WHERE dt = 'd0' LIMIT 2")).hasSize(2);
        assertThat(scan("SELECT id FROM parts WHERE id > 3 LIMIT 2")).contains("limit=[2]");
        assertThat(rows("SELECT id FROM parts WHERE id > 9 LIMIT 5")).containsExactlyInAnyOrder("+I[10]", "+I[11]");
    }

    @Test
    void watermarksAreMadeInTheSource() throws Exception {
        Table table = tables.create(
                "w",
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("ts", DataTypes.TIMESTAMP(3))
                        .build());
        TestTables.write(
                table,
                GenericRow.of(1, Timestamp.fromEpochMillis(1_000)),
                GenericRow.of(2, Timestamp.fromEpochMillis(4_000)),
                GenericRow.of(3, Timestamp.fromEpochMillis(12_000)));
        TableEnvironment streaming = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(CLUSTER.statements())
                .build());
        streaming.executeSql("CREATE TABLE w (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)"
                + " WITH ('connector'='paimon','path'='" + tables.path("w").toUri() + "')");
        String sql = "SELECT window_end, COUNT(*) FROM TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '5' SECOND)"
                + " GROUP BY window_start, window_end";

        assertThat(streaming.explainSql(sql)).contains("watermark=[-(ts, 1000:INTERVAL SECOND)]");
        // The third row's watermark closes the first window while the read goes on.
        try (CloseableIterator<Row> rows = streaming.executeSql(sql).collect()) {
            assertThat(rows.next()).hasToString("+I[1970-01-01T00:00:05, 2]");
        }
    }

    @Test
    void aLookupGivesFieldsOfRows() throws Exception {
        Table dim = tables.create(
                "dim",
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .column(
                                "person",
                                DataTypes.ROW(
                                        DataTypes.FIELD(2, "name", DataTypes.STRING()),
                                        DataTypes.FIELD(3, "zip", DataTypes.INT())))
                        .column("level", DataTypes.INT())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .build());
        TestTables.write(
                dim,
                GenericRow.of(1, GenericRow.of(text("a"), 11), 5),
                GenericRow.of(2, null, 6),
                GenericRow.of(3, GenericRow.of(text("c"), 33), 1));
        env.executeSql(
                "CREATE TEMPORARY VIEW probes AS SELECT id, PROCTIME() AS pt FROM (VALUES (1), (2), (3), (4)) AS v(id)");

        for (String async : List.of("false", "true")) {
            String dimension = "dim /*+ OPTIONS('lookup.async'='" + async + "') */";
            assertThat(rows("SELECT l.id, d.person.zip, d.person.name, d.id FROM probes AS l LEFT JOIN " + dimension
                            + " FOR SYSTEM_TIME AS OF l.pt AS d ON l.id = d.id AND d.level > 4"))
                    .containsExactlyInAnyOrder(
                            "+I[1, 11, a, 1]",
                            "+I[2, null, null, 2]",
                            "+I[3, null, null, null]",
                            "+I[4, null, null, null]");
        }
    }
}
