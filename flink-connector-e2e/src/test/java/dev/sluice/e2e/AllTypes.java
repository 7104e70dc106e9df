/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Tables with a column of every type, rows at the ends of their ranges, and how such rows print. */
final class AllTypes {
    private record Column(String name, String type, String greatest, String least, String usual) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("a_boolean", "BOOLEAN", "TRUE", "FALSE", "TRUE"),
            new Column("a_tinyint", "TINYINT", "127", "-128", "-1"),
            new Column("a_smallint", "SMALLINT", "32767", "-32768", "-1"),
            new Column("an_int", "INT", "2147483647", "-2147483648", "-1"),
            new Column("a_bigint", "BIGINT", "9223372036854775807", "-9223372036854775808", "-1"),
            new Column("a_float", "FLOAT", "3.4028235E38", "-3.4028235E38", "1.4E-45"),
            new Column("a_double", "DOUBLE", "1.7976931348623157E308", "-1.7976931348623157E308", "4.9E-324"),
            new Column(
                    "a_decimal",
                    "DECIMAL(38, 18)",
                    "'99999999999999999999.999999999999999999'",
                    "'-99999999999999999999.999999999999999999'",
                    "'-1.5'"),
            new Column("a_price", "DECIMAL(9, 2)", "'9999999.99'", "'-9999999.99'", "'-1.5'"),
            new Column("a_string", "STRING", "'€ Жизнь 生活 𝄞'", "''", "'it''s, one'"),
            new Column("a_varchar", "VARCHAR(3)", "'生活𝄞'", "''", "'ab'"),
            new Column("a_char", "CHAR(5)", "'Жизнь'", "''", "'ab'"),
            new Column("a_date", "DATE", "DATE '9999-12-31'", "DATE '0001-01-01'", "DATE '1969-12-31'"),
            new Column("a_time", "TIME", "TIME '23:59:59'", "TIME '00:00:00'", "TIME '12:34:56'"),
            new Column(
                    "a_timestamp",
                    "TIMESTAMP(9)",
                    "TIMESTAMP '9999-12-31 23:59:59.999999999'",
                    "TIMESTAMP '0001-01-01 00:00:00.000000001'",
                    "TIMESTAMP '1969-12-31 23:59:59.123456789'"),
            new Column(
                    "a_short_timestamp",
                    "TIMESTAMP(3)",
                    "TIMESTAMP '9999-12-31 23:59:59.999'",
                    "TIMESTAMP '0001-01-01 00:00:00.001'",
                    "TIMESTAMP '1969-12-31 23:59:59.123'"),
            new Column(
                    "an_instant",
                    "TIMESTAMP_LTZ(9)",
                    "TIMESTAMP '9999-12-31 23:59:59.999999999'",
                    "TIMESTAMP '0001-01-01 00:00:00.000000001'",
                    "TIMESTAMP '1969-12-31 23:59:59.123456789'"),
            new Column("a_binary", "BINARY(4)", "x'ffffffff'", "x''", "x'0180'"),
            new Column("some_bytes", "BYTES", "x'ff00ff00ff'", "x''", "x'80'"));

    private static final String GREATEST = "+I[1, true, 127, 32767, 2147483647, 9223372036854775807, 3.4028235E38,"
            + " 1.7976931348623157E308, 99999999999999999999.999999999999999999, 9999999.99, € Жизнь 生活 𝄞, 生活𝄞, Жизнь,"
            + " 9999-12-31, 23:59:59, 9999-12-31T23:59:59.999999999, 9999-12-31T23:59:59.999,"
            + " 9999-12-31T23:59:59.999999999Z, [-1, -1, -1, -1], [-1, 0, -1, 0, -1]]";
    private static final String LEAST = "+I[2, false, -128, -32768, -2147483648, -9223372036854775808, -3.4028235E38,"
            + " -1.7976931348623157E308, -99999999999999999999.999999999999999999, -9999999.99, , ,      , 0001-01-01, 00:00,"
            + " 0001-01-01T00:00:00.000000001, 0001-01-01T00:00:00.001, 0001-01-01T00:00:00.000000001Z, [0, 0, 0, 0], []]";
    private static final String NULLS = "+I[3" + ", null".repeat(COLUMNS.size()) + "]";
    private static final String USUAL = "+I[4, true, -1, -1, -1, -1, 1.4E-45, 4.9E-324, -1.500000000000000000, -1.50,"
            + " it's, one, ab, ab   , 1969-12-31, 12:34:56, 1969-12-31T23:59:59.123456789, 1969-12-31T23:59:59.123,"
            + " 1969-12-31T23:59:59.123456789Z, [1, -128, 0, 0], [-128]]";

    /** Table name and its options: each kind of table. */
    private static final List<List<String>> TABLES =
            List.of(List.of("keyed", "'bucket'='2'"), List.of("appended", "'bucket'='-1'"));

    private AllTypes() {}

    /** A table of each kind with four rows; row 2 of those with a key is written twice. */
    static String write() {
        StringBuilder sql = new StringBuilder();
        for (List<String> table : TABLES) {
            boolean keyed = table.get(0).equals("keyed");
            sql.append("CREATE TABLE ").append(table.get(0)).append(" (id INT NOT NULL");
            COLUMNS.forEach(
                    column -> sql.append(", ").append(column.name()).append(' ').append(column.type()));
            sql.append(keyed ? ", PRIMARY KEY (id) NOT ENFORCED" : "");
            sql.append(") WITH (").append(table.get(1)).append(");\n");
            List<String> rows = new ArrayList<>(List.of(row(1, 1), row(keyed ? 4 : 2, 2), row(3, 3), row(4, 4)));
            sql.append(insert(table.get(0), rows));
            if (keyed) {
                sql.append(insert(table.get(0), List.of(row(2, 2), row(4, 4))));
            }
        }
        return sql.toString();
    }

    /** One more row, a copy of the usual one, for the table with a key. */
    static String writeOneMore() {
        return insert("keyed", List.of(row(5, 4)));
    }

    /** @param name of the results, together with the table's name */
    static String read(String name) {
        StringBuilder sql = new StringBuilder();
        for (List<String> table : TABLES) {
            sql.append("-- ").append(name).append(' ').append(table.get(0)).append('\n');
            sql.append("SELECT * FROM ").append(table.get(0)).append(" ORDER BY id;\n");
        }
        return sql.toString();
    }

    static void check(ChildJvm.Finished run, String name) {
        for (List<String> table : TABLES) {
            assertThat(run.rows(name + " " + table.get(0)))
                    .as(name + " " + table.get(0))
                    .containsExactly(GREATEST, LEAST, NULLS, USUAL);
        }
    }

    static void checkOneMore(ChildJvm.Finished run, String name) {
        for (List<String> table : TABLES) {
            List<String> expected = new ArrayList<>(List.of(GREATEST, LEAST, NULLS, USUAL));
            if (table.get(0).equals("keyed")) {
                expected.add(USUAL.replace("+I[4", "+I[5"));
            }
            assertThat(run.rows(name + " " + table.get(0)))
                    .as(name + " " + table.get(0))
                    .containsExactlyElementsOf(expected);
        }
    }

    private static String insert(String table, List<String> rows) {
        return "INSERT INTO " + table + "\n" + String.join("\nUNION ALL ", rows) + ";\n";
    }

    /** @param kind 1 greatest, 2 least, 3 nulls, 4 usual */
    private static String row(int id, int kind) {
        StringBuilder sql = new StringBuilder("SELECT ").append(id);
        for (Column column : COLUMNS) {
            String value = switch (kind) {
                case 1 -> column.greatest();
                case 2 -> column.least();
                case 3 -> "NULL";
                default -> column.usual();
            };
            sql.append(", CAST(")
                    .append(value)
                    .append(" AS ")
                    .append(column.type())
                    .append(')');
        }
        return sql.toString();
    }
}
