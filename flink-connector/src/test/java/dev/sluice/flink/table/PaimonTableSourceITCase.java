/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.TestTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables read by SQL statements, in batch and streaming. */
final class PaimonTableSourceITCase {

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

    private TableEnvironment env(EnvironmentSettings settings) {
        TableEnvironment env = TableEnvironment.create(settings);
        env.getConfig().set(CoreOptions.DEFAULT_PARALLELISM, 2);
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
        env.executeSql("USE CATALOG p");
        env.executeSql("USE db");
        return env;
    }

    private TableEnvironment batch() {
        return env(EnvironmentSettings.inBatchMode());
    }

    private TableEnvironment streaming() {
        return env(EnvironmentSettings.inStreamingMode());
    }

    private static List<String> all(TableEnvironment env, String sql) throws Exception {
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(row -> rows.add(row.toString()));
        }
        return rows;
    }

    private static List<String> take(CloseableIterator<Row> rows, int count) {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count && rows.hasNext()) {
            taken.add(rows.next().toString());
        }
        return taken;
    }

    private static Schema.Builder columns() {
        return Schema.newBuilder()
                .column("name", DataTypes.STRING())
                .column("id", DataTypes.BIGINT())
                .column("price", DataTypes.INT());
    }

    private static InternalRow row(RowKind kind, String name, long id, int price) {
        return GenericRow.ofKind(kind, BinaryString.fromString(name), id, price);
    }

    private Table orders(String... options) throws Exception {
        Schema.Builder schema = columns().primaryKey("id").option("bucket", "2");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        Table table = tables.create("orders", schema.build());
        TestTables.write(
                table,
                row(RowKind.INSERT, "a", 1, 10),
                row(RowKind.INSERT, "b", 2, 20),
                row(RowKind.INSERT, "c", 3, 30));
        return table;
    }

    @Test
    void batchAnswersProjectionFilterLimitAndCount() throws Exception {
        orders();
        TableEnvironment env = batch();

        assertThat(all(env, "SELECT price, name FROM orders WHERE price BETWEEN 15 AND 25 OR name LIKE 'c%'"))
                .containsExactlyInAnyOrder("+I[20, b]", "+I[30, c]");
        assertThat(all(env, "SELECT COUNT(*) FROM orders")).containsExactly("+I[3]");
        assertThat(all(env, "SELECT id FROM orders LIMIT 2")).hasSize(2);
        assertThat(all(env, "SELECT id FROM orders WHERE name = 'nobody'")).isEmpty();
    }

    @Test
    void thePlanShowsWhatThePushDownsReached() throws Exception {
        orders();

        String plan = batch().explainSql("SELECT price FROM orders WHERE id > 1");

        assertThat(plan).contains("project=[price]").contains("filter=[>(id, 1");
        assertThat(batch().explainSql("SELECT price FROM orders LIMIT 2")).contains("limit=[2]");
    }

    @Test
    void batchTravelsByOptionsAndByTheSqlClause() throws Exception {
        Table table = orders();
        table.createTag("first", 1);
        TestTables.write(table, row(RowKind.INSERT, "b2", 2, 21));
        TableEnvironment env = batch();

        assertThat(all(env, "SELECT name FROM orders /*+ OPTIONS('scan.tag-name'='first') */ WHERE id = 2"))
                .containsExactly("+I[b]");
        assertThat(all(env, "SELECT name FROM orders WHERE id = 2")).containsExactly("+I[b2]");
        assertThat(all(env, "SELECT snapshot_id FROM `orders$snapshots`")).containsExactlyInAnyOrder("+I[1]", "+I[2]");
    }

    @Test
    void streamingWithoutAChangelogStillGivesARightOne() throws Exception {
        Table table = orders();

        try (CloseableIterator<Row> rows = streaming()
                .executeSql("SELECT id, price FROM orders WHERE price < 25")
                .collect()) {
            assertThat(take(rows, 2)).containsExactlyInAnyOrder("+I[1, 10]", "+I[2, 20]");
            TestTables.write(table, row(RowKind.INSERT, "b", 2, 99));
            assertThat(take(rows, 1)).containsExactly("-D[2, 20]");
            TestTables.write(table, row(RowKind.DELETE, "a", 1, 10));
            assertThat(take(rows, 1)).containsExactly("-D[1, 10]");
        }
    }

    @Test
    void streamingGivesTheStoredChangelog() throws Exception {
        Table table = orders("changelog-producer", "input");

        try (CloseableIterator<Row> rows =
                streaming().executeSql("SELECT name, price FROM orders").collect()) {
            assertThat(take(rows, 3)).containsExactlyInAnyOrder("+I[a, 10]", "+I[b, 20]", "+I[c, 30]");
            TestTables.write(table, row(RowKind.UPDATE_BEFORE, "a", 1, 10), row(RowKind.UPDATE_AFTER, "a", 1, 11));
            assertThat(take(rows, 2)).containsExactly("-U[a, 10]", "+U[a, 11]");
        }
    }

    @Test
    void aBoundedStreamingReadEnds() throws Exception {
        orders();

        assertThat(all(streaming(), "SELECT id FROM orders /*+ OPTIONS('scan.bounded'='true') */"))
                .containsExactlyInAnyOrder("+I[1]", "+I[2]", "+I[3]");
    }

    @Test
    void aParallelismOfItsOwnStaysWithTheSource() throws Exception {
        Table table = orders("changelog-producer", "input");
        String hint = " /*+ OPTIONS('scan.parallelism'='1') */ ";

        assertParallelism(batch(), "SELECT price + 1 FROM orders" + hint + "WHERE price > 1");
        assertParallelism(streaming(), "SELECT price + 1 FROM orders" + hint + "WHERE price > 1");

        try (CloseableIterator<Row> rows = streaming()
                .executeSql("SELECT price, COUNT(*) FROM orders" + hint + "GROUP BY price")
                .collect()) {
            assertThat(take(rows, 3)).containsExactlyInAnyOrder("+I[10, 1]", "+I[20, 1]", "+I[30, 1]");
            TestTables.write(table, row(RowKind.UPDATE_BEFORE, "a", 1, 10), row(RowKind.UPDATE_AFTER, "a", 1, 40));
            assertThat(take(rows, 2)).containsExactlyInAnyOrder("-D[10, 1]", "+I[40, 1]");
        }
    }

    @Test
    void theParallelismIsInferredWhereNobodySetsOne() throws Exception {
        int buckets = 7;
        Table table = orders("bucket", "" + buckets, "changelog-producer", "input");
        List<InternalRow> enough = new ArrayList<>();
        for (int id = 0; id < 200; id++) {
            enough.add(row(RowKind.INSERT, "n", id, id));
        }
        TestTables.write(table, false, enough);
        String one = " /*+ OPTIONS('scan.infer-parallelism.max'='1') */";
        String off = " /*+ OPTIONS('scan.infer-parallelism'='false') */";

        for (TableEnvironment env : List.of(batch(), streaming())) {
            assertThat(sourceParallelism(env, "")).as("set by the job").isEqualTo(2);
            env.getConfig().set(CoreOptions.DEFAULT_PARALLELISM, -1);

            assertThat(sourceParallelism(env, "")).isEqualTo(buckets);
            assertThat(sourceParallelism(env, one)).isEqualTo(1);
            assertThat(sourceParallelism(env, off)).isNotEqualTo(buckets);
            assertThat(sourceParallelism(env, " /*+ OPTIONS('scan.parallelism'='4') */"))
                    .isEqualTo(4);
            assertThat(parallelism(plan(env, "SELECT price + 1 FROM orders"), "Calc"))
                    .as("chained to the source")
                    .isEqualTo(buckets);
            env.getConfig().set(ExecutionConfigOptions.TABLE_EXEC_RESOURCE_DEFAULT_PARALLELISM, 3);
            assertThat(sourceParallelism(env, "")).as("set for tables").isEqualTo(3);
        }
        TableEnvironment few = batch();
        few.getConfig().set(CoreOptions.DEFAULT_PARALLELISM, -1);
        assertThat(parallelism(plan(few, "SELECT id FROM orders LIMIT 40"), "Source: [a-z.]*orders"))
                .as("about 28 rows are in a bucket, so two have enough")
                .isEqualTo(2);
        assertThat(all(few, "SELECT id FROM orders")).hasSize(200);
    }

    private static String plan(TableEnvironment env, String sql) {
        return env.explainSql(sql, ExplainDetail.JSON_EXECUTION_PLAN);
    }

    private static int sourceParallelism(TableEnvironment env, String hint) {
        return parallelism(plan(env, "SELECT price + 1 FROM orders" + hint), "Source: [a-z.]*orders");
    }

    /** Such a job reads a split in several attempts at once, and Flink asks more of its enumerator. */
    @Test
    void batchReadsWithSpeculativeExecution() throws Exception {
        orders();
        TableEnvironment env = batch();
        env.getConfig().set(BatchExecutionOptions.SPECULATIVE_ENABLED, true);

        assertThat(all(env, "SELECT id FROM orders")).containsExactlyInAnyOrder("+I[1]", "+I[2]", "+I[3]");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "partial-update, 'lookup' or 'full-compaction'",
                "aggregation, 'lookup' or 'full-compaction'",
                "first-row, 'lookup'"
            })
    void streamingRefusesRowsThatOnlyMergingMakesRight(String engine, String producers) throws Exception {
        orders("merge-engine", engine);
        TableEnvironment env = streaming();

        assertThatThrownBy(() -> env.explainSql("SELECT * FROM orders"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Table p.db.orders has 'merge-engine' = '" + engine + "' and no changelog, so a streaming"
                        + " read would give rows as they were written, not as they are merged. Write the table with"
                        + " 'changelog-producer' = " + producers + " (ALTER TABLE ... SET), or read it once:"
                        + " in batch, or with 'scan.bounded' = 'true'.");
        assertThat(env.explainSql("SELECT * FROM orders /*+ OPTIONS('scan.bounded'='true') */"))
                .contains("orders");
        env.executeSql("ALTER TABLE orders SET ('changelog-producer' = 'lookup')");
        assertThat(env.explainSql("SELECT * FROM orders")).contains("orders");
    }

    @Test
    void aViewThatHasNoChangesIsReadOnceInStreaming() throws Exception {
        TestTables.write(orders(), true, List.of(row(RowKind.INSERT, "a2", 1, 11)));

        assertThat(all(streaming(), "SELECT name FROM `orders$ro` WHERE id = 1"))
                .containsExactly("+I[a2]");
    }

    /** The column's type cannot hold these literals, so rounding or dropping them would change what is compared. */
    @Test
    void comparesWithDecimalsThatTheColumnCannotHold() throws Exception {
        Table table = tables.create(
                "prices",
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("price", DataTypes.DECIMAL(4, 2))
                        .build());
        TestTables.write(table, GenericRow.of(1, Decimal.fromUnscaledLong(150, 4, 2)));
        TableEnvironment env = batch();

        for (String condition : List.of(
                "price > 1.495",
                "price < 12345.5",
                "price <> 12345.5",
                "price <> 1.495",
                "price > -12345.5",
                "price <= 1.504",
                "price = 1.50",
                "1.495 < price",
                "price IN (1.5, 12345.5)",
                "price < 123456")) {
            assertThat(all(env, "SELECT id FROM prices WHERE " + condition))
                    .as(condition)
                    .containsExactly("+I[1]");
        }
        assertThat(all(env, "SELECT id FROM prices WHERE price = 1.495")).isEmpty();
        assertThat(all(env, "SELECT id FROM prices WHERE price < 1.495")).isEmpty();
    }

    /** SQL holds 0.0 and -0.0 for equal; the engine orders one before the other. */
    @Test
    void comparesWithNegativeZero() throws Exception {
        Table table = tables.create(
                "zeros",
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("f", DataTypes.FLOAT())
                        .column("d", DataTypes.DOUBLE())
                        .build());
        TestTables.write(table, GenericRow.of(1, -0.0f, -0.0d));
        TestTables.write(table, GenericRow.of(2, 0.0f, 0.0d));
        TableEnvironment env = batch();

        for (String condition :
                List.of("f = CAST(0 AS FLOAT)", "f >= CAST(0 AS FLOAT)", "d = 0e0", "d >= 0e0", "d <= -0e0")) {
            assertThat(all(env, "SELECT id FROM zeros WHERE " + condition))
                    .as(condition)
                    .containsExactlyInAnyOrder("+I[1]", "+I[2]");
        }
        assertThat(all(env, "SELECT id FROM zeros WHERE d > 0e0 OR d < 0e0")).isEmpty();
    }

    private static void assertParallelism(TableEnvironment env, String sql) {
        String plan = plan(env, sql);
        assertThat(parallelism(plan, "Source: [a-z.]*orders")).as(plan).isEqualTo(1);
        assertThat(parallelism(plan, "Calc")).as(plan).isEqualTo(2);
    }

    private static int parallelism(String plan, String operator) {
        Matcher node = Pattern.compile("\"type\" : \"" + operator + ".*?\"parallelism\" : (-?\\d+)", Pattern.DOTALL)
                .matcher(plan);
        assertThat(node.find()).as("%s in %s", operator, plan).isTrue();
        return Integer.parseInt(node.group(1));
    }
}
