/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.FileAggregates;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.AggregateExpression;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.flink.FlinkRowData;
import org.apache.paimon.types.DataField;

/** Answers aggregates of a statement from the table's metadata. */
final class ScanAggregates {

    /** The planner's classes are not on this one's class path, so its functions are known by their names. */
    private static final String FUNCTIONS = "org.apache.flink.table.planner.functions.aggfunctions.";

    private static final String COUNT_ROWS = FUNCTIONS + "Count1AggFunction";
    private static final String COUNT_VALUES = FUNCTIONS + "CountAggFunction";
    private static final String MIN = FUNCTIONS + "MinAggFunction";
    private static final String MAX = FUNCTIONS + "MaxAggFunction";

    private ScanAggregates() {}

    /**
     * @param grouping indexes of produced columns
     * @return empty if the metadata does not tell exactly
     */
    static Optional<KnownRows> answer(
            StoreTable table,
            ReadSpec spec,
            int[] grouping,
            List<AggregateExpression> expressions,
            DataType producedDataType) {
        List<Integer> groupBy = new ArrayList<>();
        for (int produced : grouping) {
            Optional<Integer> column = column(spec, produced);
            if (column.isEmpty()) {
                return Optional.empty();
            }
            groupBy.add(column.get());
        }
        List<FileAggregates.Aggregate> aggregates = new ArrayList<>();
        for (AggregateExpression expression : expressions) {
            Optional<FileAggregates.Aggregate> aggregate = aggregate(table, spec, expression);
            if (aggregate.isEmpty()) {
                return Optional.empty();
            }
            aggregates.add(aggregate.get());
        }
        RowType type = (RowType) producedDataType.getLogicalType();
        return FileAggregates.of(table, spec, groupBy, aggregates)
                .filter(rows -> !rows.isEmpty())
                .map(rows -> new KnownRows(table.name() + " (from metadata)", flinkRows(rows, type), type));
    }

    private static Optional<Integer> column(ReadSpec spec, int produced) {
        if (spec.columns() == null) {
            return Optional.of(produced);
        }
        List<Integer> path = spec.columns().get(produced);
        return path.size() == 1 ? Optional.of(path.get(0)) : Optional.empty();
    }

    private static Optional<FileAggregates.Aggregate> aggregate(
            StoreTable table, ReadSpec spec, AggregateExpression expression) {
        if (expression.isDistinct()
                || expression.isApproximate()
                || expression.getFilterExpression().isPresent()) {
            return Optional.empty();
        }
        String function = expression.getFunctionDefinition().getClass().getName();
        if (function.equals(COUNT_ROWS)) {
            return Optional.of(new FileAggregates.CountRows());
        }
        if (expression.getArgs().size() != 1) {
            return Optional.empty();
        }
        Optional<Integer> column = column(spec, expression.getArgs().get(0).getFieldIndex());
        if (function.equals(COUNT_VALUES)) {
            return column.map(FileAggregates.CountValues::new);
        }
        boolean greatest = function.startsWith(MAX);
        if (!greatest && !function.startsWith(MIN)) {
            return Optional.empty();
        }
        return column.filter(index -> told(table, index)).map(index -> new FileAggregates.Extreme(index, greatest));
    }

    private static boolean told(StoreTable table, int column) {
        DataField field = table.rowType().getFields().get(column);
        return FileAggregates.tellsExtremes(field);
    }

    private static List<RowData> flinkRows(List<GenericRow> rows, RowType type) {
        RowDataSerializer serializer = new RowDataSerializer(type);
        List<RowData> converted = new ArrayList<>();
        for (GenericRow row : rows) {
            converted.add(serializer.toBinaryRow(new FlinkRowData(row)).copy());
        }
        return converted;
    }
}
