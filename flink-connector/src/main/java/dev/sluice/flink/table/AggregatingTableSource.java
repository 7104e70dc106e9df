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
 * <p>Not what a table is by default: where an expression stands between a scan and its aggregates, Flink's planner (2.0
 * to 2.3) offers {@code COUNT(expression)} and {@code GROUP BY expression} as if they were about the scan's columns of
 * the same index, and fails on its own where there is no such column. What is offered with an expression in between is
 * therefore declined, but the failure cannot be prevented.
 */
final class AggregatingTableSource extends PaimonTableSource implements SupportsAggregatePushDown {

    /** The planner's rules for aggregates with something to calculate below them have this in their names. */
    private static final String WITH_EXPRESSIONS = "AndCalc";

    private static final String WITH_CALCULATION = "WithCalc";

    AggregatingTableSource(OpenedTable opened, ReadSettings settings, boolean streaming) {
        super(opened, settings, streaming);
    }

    @Override
    public boolean applyAggregates(
            List<int[]> groupingSets, List<AggregateExpression> aggregates, DataType producedDataType) {
        if (groupingSets.size() != 1) {
            return false;
        }
        int[] grouping = groupingSets.get(0);
        boolean onlyRows = grouping.length == 0
                && aggregates.stream().allMatch(aggregate -> aggregate.getArgs().isEmpty());
        return (onlyRows || !offeredWithExpressions()) && answer(grouping, aggregates, producedDataType);
    }

    private static boolean offeredWithExpressions() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .anyMatch(name -> name.contains(WITH_CALCULATION) || name.contains(WITH_EXPRESSIONS)));
    }
}
