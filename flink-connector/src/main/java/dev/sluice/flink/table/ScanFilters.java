/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
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
        return wouldChange(filter) ? Optional.empty() : PredicateConverter.convert(rowType, filter);
    }

    private static boolean wouldChange(ResolvedExpression expression) {
        List<ResolvedExpression> operands = expression.getResolvedChildren();
        return isBetween(expression)
                || hasUnfitLiteral(operands)
                || operands.stream().anyMatch(ScanFilters::wouldChange);
    }

    /** The engine's converter takes the bounds of BETWEEN unconverted; the planner writes it as two comparisons. */
    private static boolean isBetween(ResolvedExpression expression) {
        return expression instanceof CallExpression call
                && (call.getFunctionDefinition() == BuiltInFunctionDefinitions.BETWEEN
                        || call.getFunctionDefinition() == BuiltInFunctionDefinitions.NOT_BETWEEN);
    }

    private static boolean hasUnfitLiteral(List<ResolvedExpression> operands) {
        return operands.stream()
                .filter(FieldReferenceExpression.class::isInstance)
                .map(column -> column.getOutputDataType().getLogicalType())
                .anyMatch(column -> operands.stream()
                        .anyMatch(other -> other instanceof ValueLiteralExpression literal && !fits(literal, column)));
    }

    /**
     * The engine's converter makes a literal a value of the column's type: a DECIMAL is rounded, or becomes NULL where it
     * is too large, and the condition then holds for other rows. And the engine orders -0.0 before 0.0, which are equal
     * in SQL.
     */
    private static boolean fits(ValueLiteralExpression literal, LogicalType column) {
        return switch (column.getTypeRoot()) {
            case DECIMAL ->
                number(literal)
                        .filter(value -> fits(value, (DecimalType) column))
                        .isPresent();
            case FLOAT, DOUBLE ->
                number(literal).filter(value -> value.signum() != 0).isPresent();
            default -> true;
        };
    }

    private static boolean fits(BigDecimal value, DecimalType column) {
        BigDecimal shortest = value.stripTrailingZeros();
        return shortest.scale() <= column.getScale()
                && shortest.precision() - shortest.scale() <= column.getPrecision() - column.getScale();
    }

    /** Empty for NULL, NaN, the infinities and what is no number. */
    private static Optional<BigDecimal> number(ValueLiteralExpression literal) {
        return literal.getValueAs(literal.getOutputDataType().getConversionClass())
                .filter(value -> value instanceof Number number && Double.isFinite(number.doubleValue()))
                .map(value -> new BigDecimal(value.toString()));
    }
}
