/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QuickstartITCase {

    private static final Path SQL_FOLDER = Path.of("src/main/sql/quickstart");
    private static final double SCALE = 0.01;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** The tour's own files; counts are TPC-H's, sums are added up from the generator without Flink. */
    @Test
    void theTourLoadsJoinsAndQueriesAllOfTheData(@TempDir Path folder) throws Exception {
        Path warehouse = folder.resolve("a warehouse");
        int code = quickstart("--scale", "0.01", "--warehouse", warehouse.toString());

        assertThat(text(err)).isEmpty();
        assertThat(code).isZero();
        assertThat(text(out))
                .contains("counts: customers=1500 orders=15000 line_items=60175")
                .contains("CREATE CATALOG sluice WITH ('type' = 'paimon', 'warehouse' = '" + warehouse + "');");
        assertThat(text(out)
                        .lines()
                        .filter(line -> line.matches(" +\\d+\\.\\d s +[\\d,]+ rows .*snapshots? committed")))
                .as("lines of progress")
                .hasSizeGreaterThan(3);

        try (EmbeddedFlink flink = EmbeddedFlink.start(2, "0")) {
            SqlSession session = new SqlSession(flink, RuntimeExecutionMode.BATCH);
            session.execute(Warehouse.createCatalog(warehouse));
            session.execute("USE sluice.tpch");
            checkTables(session);
        }
    }

    private static void checkTables(SqlSession session) throws Exception {
        Map<Long, Customer> customers = new HashMap<>();
        new CustomerGenerator(SCALE, 1, 1).forEach(customer -> customers.put(customer.getCustomerKey(), customer));
        Map<Long, Order> orders = new HashMap<>();
        new OrderGenerator(SCALE, 1, 1).forEach(order -> orders.put(order.getOrderKey(), order));

        BigDecimal balances = BigDecimal.ZERO;
        for (Customer customer : customers.values()) {
            balances = balances.add(BigDecimal.valueOf(customer.getAccountBalanceInCents(), 2));
        }
        assertThat(rows(session, "SELECT COUNT(*), SUM(c_acctbal) FROM customers"))
                .containsExactly(Row.of(1_500L, balances));

        BigDecimal prices = BigDecimal.ZERO;
        for (Order order : orders.values()) {
            prices = prices.add(BigDecimal.valueOf(order.getTotalPriceInCents(), 2));
        }
        assertThat(rows(session, "SELECT COUNT(*), SUM(o_totalprice), COUNT(DISTINCT o_orderkey) FROM orders"))
                .containsExactly(Row.of(15_000L, prices, 15_000L));

        Map<String, BigDecimal> revenue = new HashMap<>();
        Map<String, Long> items = new HashMap<>();
        for (LineItem item : new LineItemGenerator(SCALE, 1, 1)) {
            Order order = orders.get(item.getOrderKey());
            String segment = customers.get(order.getCustomerKey()).getMarketSegment();
            BigDecimal price = BigDecimal.valueOf(item.getExtendedPriceInCents(), 2)
                    .multiply(BigDecimal.valueOf(100 - item.getDiscountPercent(), 2));
            revenue.merge(segment, price, BigDecimal::add);
            items.merge(segment, 1L, Long::sum);
        }
        assertThat(items.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(60_175);
        List<Row> expected = new ArrayList<>();
        revenue.forEach((segment, sum) -> expected.add(Row.of(segment, items.get(segment), sum)));
        assertThat(rows(
                        session,
                        "SELECT c_mktsegment, COUNT(*), SUM(l_extendedprice * (1 - l_discount)) FROM line_items"
                                + " GROUP BY c_mktsegment"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows(session, "SELECT segment, SUM(items), SUM(revenue) FROM segment_revenue GROUP BY segment"))
                .containsExactlyInAnyOrderElementsOf(expected);

        assertThat(rows(session, "SELECT COUNT(*) > 1 FROM orders$snapshots")).containsExactly(Row.of(true));
        assertThat(rows(session, "SELECT COUNT(*) < 15000 FROM orders /*+ OPTIONS('scan.snapshot-id' = '1') */"))
                .containsExactly(Row.of(true));
    }

    /** The README shows the file without its first line, which says where it is. */
    @Test
    void theSqlTourOfTheReadmeRunsAndIsTheOneShownThere(@TempDir Path folder) throws IOException {
        Path tour = Path.of("src/main/sql/tour.sql");
        // Flink prints tables of rows to the console, wherever else the run's own lines go.
        PrintStream console = System.out;
        int code;
        System.setOut(print(out));
        try {
            code = quickstart("--warehouse", folder.resolve("w").toString(), tour.toString());
        } finally {
            System.setOut(console);
        }

        assertThat(text(err)).isEmpty();
        assertThat(code).isZero();
        List<String> cells = text(out)
                .lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.replaceAll("\\s*\\|\\s*", "|"))
                .toList();
        assertThat(cells)
                .containsSubsequence(
                        "|1|Ada|Paris|", "|2|Grace|New York|", "|1|London|", "|2|New York|", "|/docs|Grace|New York|")
                .doesNotContain("|/home|Ada|Paris|");
        String shown = Files.readString(tour).split("\n", 2)[1].strip();
        assertThat(Files.readString(Path.of("../README.md"))).contains("```sql\n" + shown + "\n```");
    }

    @Test
    void aFileThatFailsNamesStatementPlaceAndCauseAndStops(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("wrong.sql"), """
                -- two statements
                CREATE CATALOG c WITH ('type' = 'paimon', 'warehouse' = '${warehouse}');

                SELECT *
                FROM c.`default`.nowhere;
                CREATE DATABASE c.later;
                """);
        int code = quickstart("--warehouse", folder.resolve("w").toString(), file.toString());

        assertThat(code).isEqualTo(1);
        assertThat(text(err).lines().findFirst().orElseThrow())
                .startsWith("FAILED wrong.sql:4: ")
                .contains("nowhere");
        assertThat(text(err))
                .contains("statement: SELECT * FROM c.`default`.nowhere")
                .doesNotContain("\tat ");
        assertThat(folder.resolve("w/later.db")).doesNotExist();
    }

    /** The failure happens in a task, not while planning. */
    @Test
    void aJobThatFailsEndsTheRun(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("wrong.sql"), """
                SET 'execution.checkpointing.interval' = '100 ms';
                CREATE TEMPORARY TABLE o (o_orderkey BIGINT)
                WITH ('connector' = 'tpch', 'table' = 'orders', 'scale' = '0.001');
                SELECT CAST('x' || CAST(o_orderkey AS STRING) AS INT) FROM o;
                """);
        int code = quickstart("--warehouse", folder.resolve("w").toString(), file.toString());

        assertThat(code).isEqualTo(1);
        assertThat(text(err).lines().findFirst().orElseThrow()).startsWith("FAILED wrong.sql:4: ");
    }

    @Test
    void settingsHoldForLaterStatementsUntilReset(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("settings.sql"), """
                SET 'table.local-time-zone' = 'Asia/Tokyo';
                SET;
                RESET 'table.local-time-zone';
                SET 'execution.runtime-mode' = 'batch';
                SET;
                """);
        int code = quickstart("--warehouse", folder.resolve("w").toString(), file.toString());

        assertThat(code).isZero();
        String shown = text(out);
        assertThat(shown).containsOnlyOnce("table.local-time-zone = Asia/Tokyo");
        assertThat(shown).contains("execution.runtime-mode = STREAMING").contains("execution.runtime-mode = batch");
    }

    @Test
    void aWrongCommandLineStartsNothing() {
        assertThat(quickstart("--scale", "many")).isEqualTo(2);
        assertThat(text(err))
                .isEqualTo("quickstart: --scale many is not a number; 0.05 is the default." + System.lineSeparator());
        assertThat(quickstart("--help")).isZero();
        assertThat(text(out)).startsWith("usage: ./quickstart");
    }

    private int quickstart(String... args) {
        return Quickstart.run(SQL_FOLDER, print(out), print(err), args);
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static List<Row> rows(SqlSession session, String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> collected = session.execute(sql).collect()) {
            collected.forEachRemaining(rows::add);
        }
        return rows;
    }
}
