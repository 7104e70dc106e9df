/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionResolver;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.ResolvedOption;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.resolve.Secrets;
import dev.sluice.flink.resolve.TableName;
import java.time.ZoneId;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.DataCatalogTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.utils.DateTimeUtils;

/**
 * The one place where the options of session and statement meet the stored ones; one for each reference to a table.
 *
 * @param table as the statement calls it
 * @param catalog what the table's catalog was created with; empty for a table without one
 * @param session everything set in the session and in Flink's configuration
 * @param use which side of the statement the table is on
 */
record StatementOptions(TableName table, Map<String, String> catalog, Map<String, String> session, Use use) {

    /**
     * @param hint the hint's options only
     * @throws ValidationException naming everything that is wrong at once
     */
    ResolvedOptions resolve(Table stored, Map<String, String> hint) {
        return OptionResolver.resolve(StoredFacts.of(table, stored), catalog, session, hint, use);
    }

    /**
     * The same for a table that no catalog holds.
     *
     * @param with the WITH clause, with the hint merged in
     */
    ResolvedOptions resolveDeclared(Table stored, Map<String, String> with) {
        return OptionResolver.resolveDeclared(StoredFacts.of(table, stored), session, with, use);
    }

    /**
     * @param zone of times that are given as text; the engine would take them in that of the process
     * @return the table with the options of session and statement in force. A read position among them moves the scan
     *     only, not the columns: those stay the ones that the planner has seen
     * @throws ValidationException if the engine refuses the combination
     */
    static FileStoreTable apply(String name, FileStoreTable stored, ResolvedOptions options, ZoneId zone) {
        Map<String, String> dynamic = inZone(name, stored.options(), options, zone);
        try {
            return stored.copyWithoutTimeTravel(dynamic);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw refused(name, e, options);
        }
    }

    /** As above for a table that is a view of another at the position it is asked for, or has no snapshots. */
    static Table apply(String name, Table stored, ResolvedOptions options, ZoneId zone) {
        Map<String, String> dynamic = inZone(name, stored.options(), options, zone);
        try {
            return dynamic.isEmpty() ? stored : stored.copy(dynamic);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw refused(name, e, options);
        }
    }

    private static Map<String, String> inZone(
            String name, Map<String, String> stored, ResolvedOptions options, ZoneId zone) {
        Map<String, String> dynamic = new HashMap<>(options.dynamic());
        Optional<ResolvedOption> time = options.get(CoreOptions.SCAN_TIMESTAMP.key());
        if (time.isEmpty()) {
            return dynamic;
        }
        dynamic.remove(CoreOptions.SCAN_TIMESTAMP.key());
        if (stored.containsKey(CoreOptions.SCAN_TIMESTAMP.key())) {
            dynamic.put(CoreOptions.SCAN_TIMESTAMP.key(), null);
        }
        dynamic.put(CoreOptions.SCAN_TIMESTAMP_MILLIS.key(), Long.toString(millis(name, time.get(), zone)));
        return dynamic;
    }

    private static long millis(String name, ResolvedOption time, ZoneId zone) {
        try {
            return DateTimeUtils.parseTimestampData(time.value(), 3, TimeZone.getTimeZone(zone))
                    .getMillisecond();
        } catch (RuntimeException e) {
            throw new ValidationException(
                    "Table " + name + ", option '" + time.key() + "' = '" + time.value() + "' (" + time.where()
                            + "): this is no time. Accepted is a text like '2026-01-31 13:45:00', in the session's zone "
                            + zone + " ('table.local-time-zone').",
                    e);
        }
    }

    /**
     * What the hint says, out of what the planner has merged from stored options and hint. A hint that repeats a stored
     * value still wins over the session, so values are told apart by being the very objects that the catalog handed out.
     */
    static Map<String, String> hint(DataCatalogTable table) {
        return hint(table.getOptions(), table.table().options());
    }

    /**
     * @param merged what the planner has merged
     * @param stored the values the catalog handed out
     */
    static Map<String, String> hint(Map<String, String> merged, Map<String, String> stored) {
        Set<String> storedValues = Collections.newSetFromMap(new IdentityHashMap<>());
        storedValues.addAll(stored.values());
        String path = merged.get(CoreOptions.PATH.key());
        if (path == null || !storedValues.contains(path)) {
            // Read back from a compiled plan: each value is another object now.
            return difference(merged, stored);
        }
        Map<String, String> hint = new HashMap<>(merged);
        hint.entrySet().removeIf(e -> stored.containsKey(e.getKey()) && storedValues.contains(e.getValue()));
        return hint;
    }

    /** The options of a statement that are not stored like that. */
    static Map<String, String> difference(Map<String, String> merged, Map<String, String> stored) {
        Map<String, String> hint = new HashMap<>(merged);
        hint.entrySet().removeIf(e -> Objects.equals(e.getValue(), stored.get(e.getKey())));
        return hint;
    }

    private static ValidationException refused(String name, RuntimeException e, ResolvedOptions options) {
        return Refusal.of(
                "Table " + name + " does not work with the options of this statement: "
                        + Secrets.redact(Refusal.words(e), options.toMap())
                        + ". Correct or leave out that option in the OPTIONS hint, the WITH clause or the session.",
                e);
    }
}
