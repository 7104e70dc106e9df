/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.jspecify.annotations.Nullable;

/** Options that define a table: whether a value restates what the table has, and what would change it. */
final class TableChange {

    /** They say which table a declaration means, so nothing stored is compared with them. */
    static final Set<String> OPENS =
            Set.of("connector", CoreOptions.PATH.key(), CoreOptions.AUTO_CREATE.key(), CoreOptions.BRANCH.key());

    private static final String DYNAMIC = "-1";

    private TableChange() {}

    static boolean restates(OptionSpec<?> spec, String value, TableFacts table) {
        @Nullable String stored = stored(spec, table);
        if (isColumnList(spec)) {
            return stored != null && columns(stored).equals(columns(value));
        }
        return stored != null && spec.type().same(stored, value);
    }

    /** Completes "the table has …". */
    static String storedWords(OptionSpec<?> spec, TableFacts table) {
        @Nullable String stored = stored(spec, table);
        return stored == null ? "none" : "'" + stored + "'";
    }

    /** Which statement would make the table have this value, or that none can. */
    static String advice(OptionSpec<?> spec, String value, TableFacts table) {
        if (spec.key().equals(CoreOptions.BRANCH.key())) {
            return "Name the branch with the table, as in `" + table.name().baseTable() + "$branch_" + value + "`";
        }
        if (spec.place().fixed()) {
            return "Nothing can change it in this table: create another one with it and copy the rows";
        }
        if (spec.key().equals(CoreOptions.BUCKET.key())) {
            return bucket(value, table);
        }
        return alter(table) + " SET ('" + spec.key() + "' = '" + value + "') changes it for good";
    }

    /** What to do about a stored value that cannot be read. */
    static String mend(OptionSpec<?> spec, TableFacts table) {
        return alter(table) + " SET ('" + spec.key() + "' = …) or RESET ('" + spec.key() + "') mends it";
    }

    static String alter(TableFacts table) {
        return "ALTER TABLE " + table.name().quoted();
    }

    static List<String> columns(String list) {
        return Arrays.stream(list.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    static @Nullable String stored(OptionSpec<?> spec, TableFacts table) {
        if (spec.key().equals(CoreOptions.PRIMARY_KEY.key())) {
            return table.primaryKeys().isEmpty() ? null : String.join(",", table.primaryKeys());
        }
        if (spec.key().equals(CoreOptions.PARTITION.key())) {
            return table.partitionKeys().isEmpty() ? null : String.join(",", table.partitionKeys());
        }
        @Nullable String value = stored(spec, table.stored());
        return value == null ? spec.defaultText() : value;
    }

    static @Nullable String stored(OptionSpec<?> spec, Map<String, String> options) {
        @Nullable String value = options.get(spec.key());
        for (OptionSpec.Alias alias : spec.aliases()) {
            value = value == null ? options.get(alias.key()) : value;
        }
        return value;
    }

    private static boolean isColumnList(OptionSpec<?> spec) {
        return List.of(
                        CoreOptions.PRIMARY_KEY.key(),
                        CoreOptions.PARTITION.key(),
                        CoreOptions.BUCKET_KEY.key(),
                        CoreOptions.SEQUENCE_FIELD.key())
                .contains(spec.key());
    }

    private static String bucket(String value, TableFacts table) {
        String stored = table.stored().getOrDefault(CoreOptions.BUCKET.key(), DYNAMIC);
        if (stored.equals(DYNAMIC) || value.equals(DYNAMIC)) {
            return "A table cannot change between fixed buckets and none: create another one with it and copy the rows";
        }
        return alter(table) + " SET ('bucket' = '" + value
                + "') changes it for new files; INSERT OVERWRITE then rewrites the old ones";
    }
}
