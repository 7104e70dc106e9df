/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.flink.PredicateConverter;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.types.RowType;

/** Turns Flink's conditions into the engine's, where it has one that means the same. */
final class ScanFilters {

    private final org.apache.flink.table.types.logical.RowType rowType;
    private final PredicateBuilder builder;
    private final Predicate<String> isColumn;

    /**
     * @param predicate holds for every row for which Flink's condition holds
     * @param exact whether it holds for no other row
     */
    record Converted(org.apache.paimon.predicate.Predicate predicate, boolean exact) {}

    /**
     * @param rowType the table's
     * @param isColumn whether a name in a condition is that of a column, not that of a part of one or of metadata
     */
    ScanFilters(RowType rowType, Predicate<String> isColumn) {
        this.rowType = LogicalTypeConversion.toLogicalType(rowType);
        this.builder = new PredicateBuilder(rowType);
        this.isColumn = isColumn;
    }

    Optional<Converted> convert(ResolvedExpression condition) {
        if (condition instanceof FieldReferenceExpression column) {
            return flag(column, true);
        }
        if (!(condition instanceof CallExpression call)) {
            return Optional.empty();
        }
        FunctionDefinition function = call.getFunctionDefinition();
        if (function == BuiltInFunctionDefinitions.AND) {
            return parts(call).map(parts -> joined(parts, PredicateBuilder.and(predicates(parts))));
        }
        if (function == BuiltInFunctionDefinitions.OR) {
            return parts(call).map(parts -> joined(parts, PredicateBuilder.or(predicates(parts))));
        }
        if (function == BuiltInFunctionDefinitions.NOT) {
            return negated(call.getResolvedChildren().get(0));
        }
        return comparison(call);
    }

    private Optional<List<Converted>> parts(CallExpression call) {
        List<Converted> parts = new ArrayList<>();
        for (ResolvedExpression child : call.getResolvedChildren()) {
            Optional<Converted> part = convert(child);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            parts.add(part.get());
        }
        return Optional.of(parts);
    }

    private static List<org.apache.paimon.predicate.Predicate> predicates(List<Converted> parts) {
        return parts.stream().map(Converted::predicate).toList();
    }

    private static Converted joined(List<Converted> parts, org.apache.paimon.predicate.Predicate predicate) {
        return new Converted(predicate, parts.stream().allMatch(Converted::exact));
    }

    /** What holds for more rows than the condition would, negated, hold for fewer. */
    private Optional<Converted> negated(ResolvedExpression condition) {
        if (condition instanceof FieldReferenceExpression column) {
            return flag(column, false);
        }
        return convert(condition)
                .filter(Converted::exact)
                .flatMap(converted -> converted.predicate().negate())
                .map(predicate -> new Converted(predicate, true));
    }

    private Optional<Converted> flag(FieldReferenceExpression column, boolean value) {
        boolean known = isColumn.test(column.getName())
                && column.getOutputDataType().getLogicalType().is(LogicalTypeRoot.BOOLEAN);
        return known
                ? Optional.of(new Converted(builder.equal(builder.indexOf(column.getName()), value), true))
                : Optional.empty();
    }

    private Optional<Converted> comparison(CallExpression call) {
        List<ResolvedExpression> operands = call.getResolvedChildren();
        List<FieldReferenceExpression> columns = operands.stream()
                .filter(FieldReferenceExpression.class::isInstance)
                .map(FieldReferenceExpression.class::cast)
                .toList();
        // The engine's converter takes the bounds of BETWEEN unconverted; the planner writes it as two comparisons.
        if (columns.size() != 1
                || call.getFunctionDefinition() == BuiltInFunctionDefinitions.BETWEEN
                || !isColumn.test(columns.get(0).getName())) {
            return Optional.empty();
        }
        LogicalType type = columns.get(0).getOutputDataType().getLogicalType();
        boolean fits = operands.stream()
                .allMatch(operand -> !(operand instanceof ValueLiteralExpression literal)
                        || LiteralFit.fits(literal, type, call.getFunctionDefinition()));
        if (!fits) {
            return Optional.empty();
        }
        return PredicateConverter.convert(rowType, call)
                .map(predicate -> new Converted(predicate, comparesAlike(type)));
    }

    /** Whether Flink and the engine order and equal all values of the type alike. */
    private static boolean comparesAlike(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    DATE,
                    VARCHAR,
                    TIMESTAMP_WITHOUT_TIME_ZONE,
                    TIMESTAMP_WITH_LOCAL_TIME_ZONE -> true;
            default -> false;
        };
    }
}
