/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.Locale;
import java.util.Set;

/**
 * A table as statements call it.
 *
 * @param table as written, so with {@code $branch_b} or {@code $snapshots} if the statement says so
 */
public record TableName(String catalog, String database, String table) {

    /** Those of SQL's reserved words that tables and databases are named after; one too many does no harm. */
    private static final Set<String> RESERVED = Set.of(
            "default",
            "order",
            "user",
            "date",
            "time",
            "timestamp",
            "table",
            "value",
            "values",
            "group",
            "year",
            "month",
            "day",
            "hour",
            "language",
            "result",
            "row",
            "rows",
            "start",
            "end",
            "system",
            "partition",
            "session");

    /** The table without branch and system table. */
    String baseTable() {
        int dollar = table.indexOf('$');
        return dollar > 0 ? table.substring(0, dollar) : table;
    }

    /** For messages. */
    @Override
    public String toString() {
        return catalog + "." + database + "." + table;
    }

    /** For statements that the reader can copy: back-quoted where a name is not a plain word. */
    String quoted() {
        return quote(catalog) + "." + quote(database) + "." + quote(table);
    }

    private static String quote(String name) {
        boolean plain = name.matches("[A-Za-z_][A-Za-z0-9_]*") && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
        return plain ? name : "`" + name.replace("`", "``") + "`";
    }
}
