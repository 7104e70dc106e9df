/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import java.util.List;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.data.RowData;

/** Refuses rows with NULL in columns where the table's merging would keep the old value instead. */
final class NeverNull implements MapFunction<RowData, RowData> {

    private static final long serialVersionUID = 1L;

    private final String table;
    private final List<String> columns;
    private final int[] positions;

    private NeverNull(String table, List<String> columns, int[] positions) {
        this.table = table;
        this.columns = List.copyOf(columns);
        this.positions = positions;
    }

    static DataStream<RowData> check(DataStream<RowData> rows, StoreTable table, List<String> columns) {
        int[] positions =
                columns.stream().mapToInt(table.rowType()::getFieldIndex).toArray();
        return rows.map(new NeverNull(table.name(), columns, positions))
                .returns(rows.getType())
                .setParallelism(rows.getParallelism())
                .name("No NULL : " + table.name());
    }

    @Override
    public RowData map(RowData row) {
        for (int i = 0; i < positions.length; i++) {
            if (row.isNullAt(positions[i])) {
                throw new IllegalArgumentException("Table " + table + " cannot take UPDATE of column '" + columns.get(i)
                        + "' to NULL: its merge engine partial-update takes NULL for 'leave the value as it is'. Use"
                        + " another value, or rewrite the rows with INSERT OVERWRITE. Nothing was committed.");
            }
        }
        return row;
    }
}
