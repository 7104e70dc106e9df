/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.OrderGenerator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;

final class TpchTableITCase {

    @Test
    void servesTheColumnsAskedForInTheirTypes() throws Exception {
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        tables.executeSql("CREATE TABLE items (l_shipdate DATE, l_quantity DECIMAL(15, 2), l_linenumber INT,"
                + " L_ORDERKEY BIGINT, l_returnflag CHAR(1), l_comment VARCHAR(44))"
                + " WITH ('connector' = 'tpch', 'table' = 'LineItem', 'scale' = '0.001')");
        List<Row> rows = rows(tables, "SELECT L_ORDERKEY, l_shipdate, l_quantity, l_returnflag FROM items");

        List<Row> expected = new ArrayList<>();
        for (LineItem item : new LineItemGenerator(0.001, 1, 1)) {
            expected.add(Row.of(
                    item.getOrderKey(),
                    LocalDate.ofEpochDay(item.getShipDate()),
                    BigDecimal.valueOf(item.getQuantity() * 100, 2),
                    item.getReturnFlag()));
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows(tables, "SELECT COUNT(*) FROM items")).containsExactly(Row.of((long) expected.size()));
    }

    @Test
    void saysWhatIsWrongWithADeclaration() {
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        assertThat(failure(tables, "x INT, o_custkey INT", "orders", "1"))
                .contains(
                        "declares columns that TPC-H's orders does not have: there is no column 'x', only o_orderkey,")
                .contains("column 'o_custkey' is BIGINT, not INT. Correct its CREATE TABLE.");
        assertThat(failure(tables, "o_custkey BIGINT", "order", "1"))
                .contains("'table' = 'order'")
                .contains("is not a TPC-H table served here: use one of customer, orders, lineitem.");
        assertThat(failure(tables, "o_custkey BIGINT", "orders", "0"))
                .contains("'scale' = '0.0'")
                .contains("give one above 0 and up to 1000");
    }

    /** Rows since the last checkpoint come twice, none is lost: with checkpoints each counts once. */
    @Test
    void goesOnAfterAFailure() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        StreamExecutionEnvironment streams = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        streams.enableCheckpointing(50);
        FailOnce.reset();
        TpchSource source = new TpchSource(TpchTables.ORDERS, 0.001, new int[] {0}, 1500);
        List<Long> keys = new ArrayList<>();
        try (CloseableIterator<Long> collected = streams.fromSource(source, WatermarkStrategy.noWatermarks(), "orders")
                .map(new FailOnce())
                .executeAndCollect()) {
            collected.forEachRemaining(keys::add);
        }

        List<Long> expected = new ArrayList<>();
        new OrderGenerator(0.001, 1, 1).forEach(order -> expected.add(order.getOrderKey()));
        assertThat(FailOnce.failures()).isEqualTo(1);
        assertThat(keys).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<Row> rows(TableEnvironment tables, String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> collected = tables.executeSql(sql).collect()) {
            collected.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static String failure(TableEnvironment tables, String columns, String table, String scale) {
        tables.executeSql("CREATE TEMPORARY TABLE wrong (" + columns + ") WITH ('connector' = 'tpch', 'table' = '"
                + table + "', 'scale' = '" + scale + "')");
        StringBuilder message = new StringBuilder();
        assertThatThrownBy(() -> tables.executeSql("SELECT * FROM wrong")).satisfies(failure -> {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                message.append(cause.getMessage());
            }
        });
        tables.executeSql("DROP TEMPORARY TABLE wrong");
        return message.toString();
    }

    /** Fails one row after a checkpoint is complete, so that there is something to go on from. */
    private static final class FailOnce implements MapFunction<RowData, Long>, CheckpointListener {

        private static final long serialVersionUID = 1L;
        private static final AtomicInteger FAILURES = new AtomicInteger();

        private boolean checkpointed;

        static void reset() {
            FAILURES.set(0);
        }

        static int failures() {
            return FAILURES.get();
        }

        @Override
        public Long map(RowData row) {
            if (checkpointed && FAILURES.compareAndSet(0, 1)) {
                throw new IllegalStateException("fails once, on purpose");
            }
            return row.getLong(0);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpointed = true;
        }
    }
}
