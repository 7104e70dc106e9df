/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** What the quickstart knows of its data. */
final class Tpch {

    /** Long enough for several checkpoints, one a second. */
    private static final int LOAD_SECONDS = 5;

    private Tpch() {}

    /** The generator's text takes seconds to make; begun early it is ready when the first row is wanted. */
    static void warmUp() {
        Thread thread = new Thread(TextPool::getDefaultTextPool, "tpch-text");
        thread.setDaemon(true);
        thread.start();
    }

    static long customers(double scale) {
        return GenerateUtils.calculateRowCount(CustomerGenerator.SCALE_BASE, scale, 1, 1);
    }

    static long orders(double scale) {
        return GenerateUtils.calculateRowCount(OrderGenerator.SCALE_BASE, scale, 1, 1);
    }

    /** Values of <code>${name}</code> in SQL files. */
    static Map<String, String> variables(double scale, Path warehouse) {
        return Map.of(
                "warehouse", Warehouse.quoted(warehouse),
                "scale", Double.toString(scale),
                "orders_per_second", Long.toString(Math.max(1, orders(scale) / LOAD_SECONDS)));
    }

    /**
     * Counts the tables and prints one line that a script can look for.
     *
     * @throws IllegalStateException if a count is not what was generated
     */
    static void check(SqlSession session, double scale, Path warehouse, PrintStream out) {
        session.set(ExecutionOptions.RUNTIME_MODE.key(), RuntimeExecutionMode.BATCH.name());
        long customers = count(session, "customers");
        long orders = count(session, "orders");
        long lineItems = count(session, "line_items");
        out.printf(Locale.ROOT, "counts: customers=%d orders=%d line_items=%d%n", customers, orders, lineItems);
        expect("customers", customers, customers(scale), scale, warehouse);
        expect("orders", orders, orders(scale), scale, warehouse);
        expect("line_items", lineItems, count(session, "tpch_lineitem"), scale, warehouse);
        out.printf(Locale.ROOT, "These are the row counts of TPC-H at scale %s.%n%n", scale);
    }

    private static long count(SqlSession session, String table) {
        String sql = "SELECT COUNT(*) FROM " + table;
        try (CloseableIterator<Row> rows = session.execute(sql).collect()) {
            return (Long) rows.next().getField(0);
        } catch (Exception e) {
            throw new StatementException(new SqlStatement(sql, "final count", 1), e);
        }
    }

    private static void expect(String table, long rows, long expected, double scale, Path warehouse) {
        if (rows != expected) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "table %s has %,d rows, but TPC-H at scale %s has %,d. If %s held tables of a run at another"
                            + " scale, give another --warehouse.",
                    table,
                    rows,
                    scale,
                    expected,
                    warehouse));
        }
    }
}
