/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.ReadSettings;
import java.util.List;
import org.apache.flink.table.connector.source.abilities.SupportsAggregatePushDown;
import org.apache.flink.table.expressions.AggregateExpression;
import org.apache.flink.table.types.DataType;

/**
 * Answers counts, least and greatest values from the table's metadata where that is exact.
 *
 * <p>Where an expression stands between a scan and its aggregates, Flink's planner (2.0 to 2.3) offers {@code
 * COUNT(expression)} and {@code GROUP BY expression} as if they were about the scan's columns of the same index, and fails
 * on its own where there is no such column. What is offered with an expression in between is therefore declined, but the
 * failure cannot be prevented from here. So only a count of rows is answered unless {@code scan.aggregate-push-down} asks
 * for more, and a table stops to be such a source with the first projection that is pushed into it: that comes ahead of
 * every expression on some of the columns. What is left are expressions on all columns of the table, more of them than
 * there are columns; tables with few columns are therefore never such a source.
 */
final class AggregatingTableSource extends PaimonTableSource implements SupportsAggregatePushDown {

    /** Fewer columns, and a statement could well count more expressions than there are. */
    private static final int MANY_COLUMNS = 8;

    /** The planner's rules for aggregates with something to calculate below them have this in their names. */
    private static final String WITH_EXPRESSIONS = "AndCalc";

    private static final String WITH_CALCULATION = "WithCalc";
    /** And its rule for projections this. */
    private static final String PROJECTION = "PushProject";

    private final boolean onlyRowCounts;

    private AggregatingTableSource(
            OpenedTable opened, ReadSettings settings, boolean streaming, boolean onlyRowCounts) {
        super(opened, settings, streaming);
        this.onlyRowCounts = onlyRowCounts;
    }

    /** A source as the planner sees it first. */
    static PaimonTableSource source(OpenedTable opened, ReadSettings settings, boolean streaming) {
        if (settings.rows().aggregatesPushed()) {
            return new AggregatingTableSource(opened, settings, streaming, false);
        }
        boolean many = opened.table().rowType().getFieldCount() >= MANY_COLUMNS;
        return many && !streaming
                ? new AggregatingTableSource(opened, settings, false, true)
                : new PaimonTableSource(opened, settings, streaming);
    }

    @Override
    PaimonTableSource another(OpenedTable opened, ReadSettings settings, boolean streaming) {
        return onlyRowCounts && calledBy(PROJECTION)
                ? super.another(opened, settings, streaming)
                : new AggregatingTableSource(opened, settings, streaming, onlyRowCounts);
    }

    @Override
    public boolean applyAggregates(
            List<int[]> groupingSets, List<AggregateExpression> aggregates, DataType producedDataType) {
        if (groupingSets.size() != 1) {
            return false;
        }
        int[] grouping = groupingSets.get(0);
        boolean rowCounts = grouping.length == 0
                && aggregates.stream().allMatch(aggregate -> aggregate.getArgs().isEmpty());
        boolean wanted = rowCounts || (!onlyRowCounts && !calledBy(WITH_CALCULATION) && !calledBy(WITH_EXPRESSIONS));
        return wanted && answer(grouping, aggregates, producedDataType);
    }

    private static boolean calledBy(String partOfName) {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.map(StackWalker.StackFrame::getClassName).anyMatch(name -> name.contains(partOfName)));
    }
}
