/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code paimon.<catalog>.<database>.<table>.<key>}, taken apart. A part is a name, {@code *} for any, or a name in
 * back-quotes, in which dots and asterisks are letters and a back-quote is doubled. Names are compared as text.
 *
 * @param catalog null for any
 * @param database null for any
 * @param table null for any
 * @param key the option
 */
record SessionKey(
        @Nullable String catalog,
        @Nullable String database,
        @Nullable String table,
        String key) {

    static final String PREFIX = "paimon.";

    static final String FORM = "'paimon.<catalog>.<database>.<table>.<option>', each of the three a name, a name in"
            + " back-quotes, or * for any";

    private record Part(@Nullable String name, int end) {}

    /** Empty if the text begins like a key for selected tables but is not of that form. */
    static Optional<SessionKey> parse(String text) {
        @Nullable Part catalog = part(text, PREFIX.length());
        @Nullable Part database = catalog == null ? null : part(text, catalog.end());
        @Nullable Part table = database == null ? null : part(text, database.end());
        if (catalog == null || database == null || table == null || table.end() >= text.length()) {
            return Optional.empty();
        }
        return Optional.of(new SessionKey(catalog.name(), database.name(), table.name(), text.substring(table.end())));
    }

    boolean matches(TableName name) {
        return (catalog == null || catalog.equals(name.catalog()))
                && (database == null || database.equals(name.database()))
                && (table == null || table.equals(name.table()) || table.equals(name.baseTable()));
    }

    /**
     * Greater is more specific: more named parts first, then table before database before catalog, then a table with
     * its branch or system table before the table alone.
     */
    int specificity(TableName name) {
        int named = (catalog == null ? 0 : 1) + (database == null ? 0 : 1) + (table == null ? 0 : 1);
        int weights = (catalog == null ? 0 : 1) + (database == null ? 0 : 2) + (table == null ? 0 : 4);
        int exact = name.table().equals(table) ? 1 : 0;
        return named * 16 + weights * 2 + exact;
    }

    private static @Nullable Part part(String text, int start) {
        if (start < text.length() && text.charAt(start) == '`') {
            return quoted(text, start + 1);
        }
        int dot = text.indexOf('.', start);
        if (dot <= start) {
            return null;
        }
        String name = text.substring(start, dot);
        return new Part(name.equals("*") ? null : name, dot + 1);
    }

    private static @Nullable Part quoted(String text, int start) {
        StringBuilder name = new StringBuilder();
        int at = start;
        while (at < text.length()) {
            char letter = text.charAt(at);
            if (letter != '`') {
                name.append(letter);
                at++;
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '`') {
                name.append('`');
                at += 2;
            } else {
                boolean closed = at + 1 < text.length() && text.charAt(at + 1) == '.' && name.length() > 0;
                return closed ? new Part(name.toString(), at + 2) : null;
            }
        }
        return null;
    }
}
