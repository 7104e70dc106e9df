/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.ValidationException;

/** A table as the text argument of a procedure names it: {@code database.table}, each part perhaps in back-quotes. */
record ProcedureTableName(String database, String table) {

    /** @throws ValidationException if the text is no such name */
    static ProcedureTableName parse(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '`' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '`') {
                part.append(letter);
                i++;
            } else if (letter == '`') {
                quoted = !quoted;
            } else if (letter == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(letter);
            }
        }
        parts.add(part.toString());
        if (quoted || parts.size() != 2 || parts.contains("")) {
            throw new ValidationException(
                    "'" + text + "' names no table; accepted is 'database.table', with back-quotes"
                            + " around a part that has a dot in it, as in '`my.db`.t'.");
        }
        return new ProcedureTableName(parts.get(0), parts.get(1));
    }
}
