/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.Optional;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.flink.PredicateConverter;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.types.RowType;

/** Turns Flink's conditions into the engine's, where it has one that means the same. */
final class ScanFilters {

    private final org.apache.flink.table.types.logical.RowType rowType;

    ScanFilters(RowType rowType) {
        this.rowType = LogicalTypeConversion.toLogicalType(rowType);
    }

    Optional<Predicate> convert(ResolvedExpression filter) {
        return hasBetween(filter) ? Optional.empty() : PredicateConverter.convert(rowType, filter);
    }

    /** The engine's converter takes the bounds of BETWEEN unconverted; the planner writes it as two comparisons. */
    private static boolean hasBetween(ResolvedExpression expression) {
        boolean between = expression instanceof CallExpression call
                && (call.getFunctionDefinition() == BuiltInFunctionDefinitions.BETWEEN
                        || call.getFunctionDefinition() == BuiltInFunctionDefinitions.NOT_BETWEEN);
        return between || expression.getResolvedChildren().stream().anyMatch(ScanFilters::hasBetween);
    }
}
