/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

/**
 * A table as statements call it.
 *
 * @param table as written, so with {@code $branch_b} or {@code $snapshots} if the statement says so
 */
public record TableName(String catalog, String database, String table) {

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
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : "`" + name.replace("`", "``") + "`";
    }
}
