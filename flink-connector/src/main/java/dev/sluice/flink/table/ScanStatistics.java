/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.ColumnFigures;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.table.plan.stats.TableStats;

/** What the planner is told of a table's size. */
final class ScanStatistics {

    private ScanStatistics() {}

    static TableStats of(StoreTable table, ReadSpec spec) {
        long rows = BoundedPlan.rowsAbout(table, spec);
        return rows < 0 ? TableStats.UNKNOWN : new TableStats(rows, ColumnFigures.of(table));
    }
}
