/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;

/**
 * A condition as SQL text, and what it says of a row of the model by SQL's logic of three values.
 *
 * @param holds gives null for unknown
 */
record RandomCondition(String sql, Function<Object[], Boolean> holds) {

    static RandomCondition of(RandomTable table, Random random, int depth) {
        int kind = depth == 0 ? 3 + random.nextInt(7) : random.nextInt(10);
        return switch (kind) {
            case 0 -> and(of(table, random, depth - 1), of(table, random, depth - 1));
            case 1 -> or(of(table, random, depth - 1), of(table, random, depth - 1));
            case 2 -> not(of(table, random, depth - 1));
            default -> leaf(table, random, kind);
        };
    }

    private static RandomCondition leaf(RandomTable table, Random random, int kind) {
        int at = random.nextInt(table.columns().size());
        RandomTable.Column column = table.columns().get(at);
        String name = "`" + column.name() + "`";
        if (column.sql().equals("ROW")) {
            Object wanted = 1 + random.nextInt(4);
            return new RandomCondition("t.r.x >= " + wanted, row -> {
                Object x = row[at] == null ? null : ((GenericRow) row[at]).getField(0);
                return x == null ? null : (Integer) x >= (Integer) wanted;
            });
        }
        Object literal = table.value(column);
        if (kind == 3 || literal == null) {
            boolean isNull = random.nextBoolean();
            return new RandomCondition(
                    name + (isNull ? " IS NULL" : " IS NOT NULL"), row -> (row[at] == null) == isNull);
        }
        if (kind == 4) {
            List<Object> literals = new ArrayList<>(List.of(literal));
            for (int i = 0; i < random.nextInt(4); i++) {
                Object more = table.value(column);
                if (more != null) {
                    literals.add(more);
                }
            }
            boolean in = random.nextBoolean();
            String list = String.join(
                    ", ", literals.stream().map(value -> sql(column, value)).toList());
            return new RandomCondition(
                    name + (in ? " IN (" : " NOT IN (") + list + ")",
                    row -> row[at] == null ? null : literals.contains(row[at]) == in);
        }
        if (kind == 5 && column.sql().equals("STRING")) {
            String prefix = literal.toString();
            return new RandomCondition(
                    name + " LIKE '" + prefix + "%'",
                    row -> row[at] == null ? null : row[at].toString().startsWith(prefix));
        }
        if (kind == 6) {
            Object to = table.value(column);
            if (to != null) {
                return new RandomCondition(
                        name + " BETWEEN " + sql(column, literal) + " AND " + sql(column, to),
                        row -> row[at] == null ? null : compare(row[at], literal) >= 0 && compare(row[at], to) <= 0);
            }
        }
        String operator = List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
        return new RandomCondition(name + " " + operator + " " + sql(column, literal), row -> {
            if (row[at] == null) {
                return null;
            }
            int compared = compare(row[at], literal);
            return switch (operator) {
                case "=" -> compared == 0;
                case "<>" -> compared != 0;
                case "<" -> compared < 0;
                case "<=" -> compared <= 0;
                case ">" -> compared > 0;
                default -> compared >= 0;
            };
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compare(Object a, Object b) {
        return ((Comparable) a).compareTo(b);
    }

    private static String sql(RandomTable.Column column, Object value) {
        return switch (column.type().getTypeRoot()) {
            case VARCHAR -> "'" + value + "'";
            case DATE -> "DATE '" + LocalDate.ofEpochDay((Integer) value) + "'";
            case TIMESTAMP_WITHOUT_TIME_ZONE ->
                timestamp((Timestamp) value, column.sql().endsWith("(3)") ? 3 : 6);
            case DOUBLE -> "CAST(" + value + " AS DOUBLE)";
            default -> value.toString();
        };
    }

    private static String timestamp(Timestamp value, int digits) {
        String text = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss." + "S".repeat(digits))
                .format(value.toLocalDateTime());
        return "TIMESTAMP '" + text + "'";
    }

    private static RandomCondition and(RandomCondition a, RandomCondition b) {
        return new RandomCondition("(" + a.sql + ") AND (" + b.sql + ")", row -> {
            Boolean left = a.holds.apply(row);
            Boolean right = b.holds.apply(row);
            if (Objects.equals(left, false) || Objects.equals(right, false)) {
                return false;
            }
            return (left == null || right == null) ? null : Boolean.TRUE;
        });
    }

    private static RandomCondition or(RandomCondition a, RandomCondition b) {
        RandomCondition neither = and(not(a), not(b));
        return new RandomCondition("(" + a.sql + ") OR (" + b.sql + ")", not(neither).holds);
    }

    private static RandomCondition not(RandomCondition a) {
        return new RandomCondition("NOT (" + a.sql + ")", row -> {
            Boolean holds = a.holds.apply(row);
            return holds == null ? null : !holds;
        });
    }
}
