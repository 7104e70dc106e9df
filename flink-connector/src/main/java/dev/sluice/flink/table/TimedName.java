/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.time.Instant;
import java.util.Optional;
import org.apache.flink.table.catalog.ObjectPath;

/**
 * The name of a table as it was at a time, {@code t$as_of_<milliseconds>}. The planner takes two scans of one name for
 * one scan, whatever {@code FOR SYSTEM_TIME AS OF} says of each, so each time has a name of its own.
 *
 * @param table without the time
 * @param millis since 1970 in UTC
 */
public record TimedName(ObjectPath table, long millis) {

    private static final String MARK = "$as_of_";

    /** Empty for a name without a time. */
    public static Optional<TimedName> parse(ObjectPath path) {
        String name = path.getObjectName();
        int mark = name.lastIndexOf(MARK);
        String digits = mark <= 0 ? "" : name.substring(mark + MARK.length());
        if (!digits.matches("-?[0-9]{1,18}")) {
            return Optional.empty();
        }
        ObjectPath table = new ObjectPath(path.getDatabaseName(), name.substring(0, mark));
        return Optional.of(new TimedName(table, Long.parseLong(digits)));
    }

    /** The name with the time in it. */
    public String objectName() {
        return table.getObjectName() + MARK + millis;
    }

    /** For messages. */
    String words(String catalog) {
        return catalog + "." + table.getFullName() + " as of " + Instant.ofEpochMilli(millis);
    }
}
