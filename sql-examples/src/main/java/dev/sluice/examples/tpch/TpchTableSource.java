/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.types.DataType;

/** Reads only the columns that a query needs: comments are half of the generator's work. */
final class TpchTableSource implements ScanTableSource, SupportsProjectionPushDown {

    private final TpchTables table;
    private final double scale;
    private final long rowsPerSecond;
    private int[] columns;

    TpchTableSource(TpchTables table, double scale, int[] columns, long rowsPerSecond) {
        this.table = table;
        this.scale = scale;
        this.columns = columns.clone();
        this.rowsPerSecond = rowsPerSecond;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return SourceProvider.of(new TpchSource(table, scale, columns, rowsPerSecond));
    }

    @Override
    public boolean supportsNestedProjection() {
        return false;
    }

    @Override
    public void applyProjection(int[][] projectedFields, DataType producedDataType) {
        int[] projected = new int[projectedFields.length];
        for (int i = 0; i < projected.length; i++) {
            projected[i] = columns[projectedFields[i][0]];
        }
        columns = projected;
    }

    @Override
    public DynamicTableSource copy() {
        return new TpchTableSource(table, scale, columns, rowsPerSecond);
    }

    @Override
    public String asSummaryString() {
        return "TPC-H " + table.tpchName() + " at scale " + scale;
    }
}
