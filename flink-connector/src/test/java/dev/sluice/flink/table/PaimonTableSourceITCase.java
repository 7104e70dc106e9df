/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.source.TestTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
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

        assertThat(plan).contains("project=[id, price]").contains("filter=[>(id, 1");
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

    private static void assertParallelism(TableEnvironment env, String sql) {
        String plan = env.explainSql(sql, ExplainDetail.JSON_EXECUTION_PLAN);
        assertThat(parallelism(plan, "Source: [a-z.]*orders")).as(plan).isEqualTo(1);
        assertThat(parallelism(plan, "Calc")).as(plan).isEqualTo(2);
    }

    private static int parallelism(String plan, String operator) {
        Matcher node = Pattern.compile("\"type\" : \"" + operator + ".*?\"parallelism\" : (\\d+)", Pattern.DOTALL)
                .matcher(plan);
        assertThat(node.find()).as("%s in %s", operator, plan).isTrue();
        return Integer.parseInt(node.group(1));
    }
}
