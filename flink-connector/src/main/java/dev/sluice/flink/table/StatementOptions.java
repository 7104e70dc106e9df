/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/** The one place where the options of a statement meet the stored ones. */
final class StatementOptions {

    /** Say which table is meant and are used up by then; the engine would take them for options of the table. */
    private static final Set<String> OPENING =
            Set.of("connector", CoreOptions.PATH.key(), CoreOptions.AUTO_CREATE.key());

    /** Say how rows are stored and merged: rows written under another value could not be read back right. */
    private static final Set<String> DEFINING = defining();

    private static final Map<String, String> DEFAULTS = defaults();

    private StatementOptions() {}

    /**
     * @param options the stored options overlaid with those of the statement (hint or WITH clause), as Flink merged them
     * @return the table with all of them in force. A read position among them moves the scan only, not the columns:
     *     those stay the ones that the planner has seen
     * @throws ValidationException if an option would change what the table is, or the engine refuses the combination
     */
    static FileStoreTable apply(String name, FileStoreTable stored, Map<String, String> options) {
        Map<String, String> statement = new HashMap<>(options);
        statement.keySet().removeAll(OPENING);
        settleDefining(name, stored, statement);
        try {
            return stored.copyWithoutTimeTravel(statement);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw refused(name, e);
        }
    }

    /** As above for a system table; these are views of a table at the position they are asked for. */
    static Table apply(String name, Table stored, Map<String, String> options) {
        Map<String, String> statement = new HashMap<>(options);
        if (!stored.options().isEmpty()) {
            // The others, such as t$snapshots, do not show their table's options, and the engine compares them.
            settleDefining(name, stored, statement);
        }
        try {
            return stored.copy(statement);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw refused(name, e);
        }
    }

    private static ValidationException refused(String name, RuntimeException e) {
        return Refusal.of(
                "Table " + name + " does not work with the options of this statement: " + Refusal.words(e)
                        + ". Correct or leave out that option in the OPTIONS hint or the WITH clause.",
                e);
    }

    /** Takes out what only repeats the table, in whatever spelling, and refuses what would change it. */
    private static void settleDefining(String name, Table stored, Map<String, String> statement) {
        List<String> problems = new ArrayList<>();
        for (String key : DEFINING) {
            String value = statement.remove(key);
            String storedValue = storedValue(stored, key);
            if (value != null && !restates(value, storedValue)) {
                problems.add("'" + key + "' is '" + value + "' but "
                        + (storedValue == null ? "is not set in the table" : "'" + storedValue + "' in the table"));
            }
        }
        if (!problems.isEmpty()) {
            throw new ValidationException("Table " + name + " cannot be redefined by a statement: option "
                    + String.join(", option ", problems)
                    + ". Such an option says how rows are stored and merged, so a hint or WITH clause may only repeat the"
                    + " table's value; leave it out, or create a table with the other value.");
        }
    }

    private static @Nullable String storedValue(Table stored, String key) {
        String explicit = stored.options().get(key);
        if (explicit != null) {
            return explicit;
        }
        // The engine turns these two into parts of the schema.
        if (key.equals(CoreOptions.PRIMARY_KEY.key())) {
            return String.join(",", stored.primaryKeys());
        }
        if (key.equals(CoreOptions.PARTITION.key())) {
            return String.join(",", stored.partitionKeys());
        }
        return DEFAULTS.get(key);
    }

    private static boolean restates(String value, @Nullable String stored) {
        return stored != null && normal(value).equals(normal(stored));
    }

    private static String normal(String value) {
        return Arrays.stream(value.split(","))
                .map(part -> part.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }

    private static Set<String> defining() {
        Set<String> keys = new TreeSet<>(CoreOptions.IMMUTABLE_OPTIONS);
        keys.add(CoreOptions.BUCKET.key());
        keys.add(CoreOptions.SEQUENCE_FIELD.key());
        keys.add(CoreOptions.SEQUENCE_FIELD_SORT_ORDER.key());
        return keys;
    }

    private static Map<String, String> defaults() {
        Map<String, String> defaults = new HashMap<>();
        for (ConfigOption<?> option : CoreOptions.getOptions()) {
            if (option.defaultValue() != null) {
                defaults.put(option.key(), option.defaultValue().toString());
            }
        }
        return defaults;
    }
}
