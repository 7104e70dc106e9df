/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Whether a literal means the same once it is a value of a column's type, which the engine's converter makes of it: a
 * DECIMAL is rounded, or becomes NULL where it is too large, a text is cut, and the condition then holds for other rows.
 */
final class LiteralFit {

    private static final int NANO_DIGITS = 9;

    private LiteralFit() {}

    static boolean fits(ValueLiteralExpression literal, LogicalType column, FunctionDefinition comparison) {
        return switch (column.getTypeRoot()) {
            case DECIMAL ->
                number(literal)
                        .filter(value -> fits(value, (DecimalType) column))
                        .isPresent();
            case FLOAT, DOUBLE -> fitsFloating(literal, comparison);
            case CHAR -> comparison == BuiltInFunctionDefinitions.LIKE || fitsPadded(literal, column);
            case VARCHAR -> literal.isNull() || length(literal) <= LogicalTypeChecks.getLength(column);
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                literal.isNull() || fitsTimestamp(literal, LogicalTypeChecks.getPrecision(column));
            default -> true;
        };
    }

    private static boolean fits(BigDecimal value, DecimalType column) {
        BigDecimal shortest = value.stripTrailingZeros();
        return shortest.scale() <= column.getScale()
                && shortest.precision() - shortest.scale() <= column.getPrecision() - column.getScale();
    }

    /**
     * The engine orders -0.0 before 0.0, which are equal in SQL. And the least and greatest value of a file do not tell
     * of NaN, which differs from every number.
     */
    private static boolean fitsFloating(ValueLiteralExpression literal, FunctionDefinition comparison) {
        return comparison != BuiltInFunctionDefinitions.NOT_EQUALS
                && number(literal).filter(value -> value.signum() != 0).isPresent();
    }

    /** A shorter text equals a longer value that ends in spaces, or does not, depending on who wrote it. */
    private static boolean fitsPadded(ValueLiteralExpression literal, LogicalType column) {
        return !literal.isNull() && length(literal) == LogicalTypeChecks.getLength(column);
    }

    private static int length(ValueLiteralExpression literal) {
        return literal.getValueAs(String.class)
                .map(text -> text.codePointCount(0, text.length()))
                .orElse(Integer.MAX_VALUE);
    }

    private static boolean fitsTimestamp(ValueLiteralExpression literal, int precision) {
        Optional<Integer> nanos = literal.getValueAs(LocalDateTime.class)
                .map(LocalDateTime::getNano)
                .or(() -> literal.getValueAs(Instant.class).map(Instant::getNano));
        int step = 1;
        for (int digits = precision; digits < NANO_DIGITS; digits++) {
            step *= 10;
        }
        int unit = step;
        return nanos.filter(fraction -> fraction % unit == 0).isPresent();
    }

    /** Empty for NULL, NaN, the infinities and what is no number. */
    private static Optional<BigDecimal> number(ValueLiteralExpression literal) {
        return literal.getValueAs(literal.getOutputDataType().getConversionClass())
                .filter(value -> value instanceof Number number && Double.isFinite(number.doubleValue()))
                .map(value -> new BigDecimal(value.toString()));
    }
}
