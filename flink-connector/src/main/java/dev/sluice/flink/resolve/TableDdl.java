/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import dev.sluice.flink.option.UnknownOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.paimon.CoreOptions;
import org.jspecify.annotations.Nullable;

/** Checks the options of statements that create or alter a table, before anything is stored. Stateless. */
public final class TableDdl {

    private static final OptionRegistry REGISTRY = OptionRegistry.table();

    private TableDdl() {}

    /**
     * CREATE TABLE.
     *
     * @param table the table to be, with the WITH clause as its stored options
     * @param catalog what the catalog was created with, {@code table-default.} options among it
     * @return warnings
     * @throws OptionException naming everything that is wrong at once
     */
    public static List<OptionProblem> create(TableFacts table, Map<String, String> catalog) {
        UnknownOptions unknown = CatalogDdl.unknownOptions(catalog);
        Findings findings = new Findings();
        Map<String, Setting> settings = new HashMap<>();
        new TreeMap<>(CatalogDdl.tableDefaults(catalog))
                .forEach((key, value) -> accept(Setting.tableDefault(key, value), settings, unknown, findings));
        new TreeMap<>(table.stored())
                .forEach((key, value) ->
                        accept(Setting.declared(key, value, "CREATE TABLE"), settings, unknown, findings));
        conflicts(new InForce(settings, table, findings));
        findings.throwIfAny("Table " + table.name());
        return findings.warnings();
    }

    /**
     * ALTER TABLE … SET and RESET.
     *
     * @param table the table with its options as they are stored now
     * @param set what the statement sets
     * @param reset the keys it resets
     * @param catalog what the catalog was created with
     * @return warnings
     * @throws OptionException naming everything that is wrong at once
     */
    public static List<OptionProblem> alter(
            TableFacts table, Map<String, String> set, Collection<String> reset, Map<String, String> catalog) {
        UnknownOptions unknown = CatalogDdl.unknownOptions(catalog);
        Findings findings = new Findings();
        Map<String, Setting> settings = new HashMap<>();
        table.stored().forEach((key, value) -> {
            if (!reset.contains(key)) {
                settings.put(primary(key), Setting.stored(key, value, table.name()));
            }
        });
        for (String key : new TreeSet<>(reset)) {
            reset(Setting.declared(key, table.stored().getOrDefault(key, ""), Setting.RESET), table, findings);
        }
        new TreeMap<>(set).forEach((key, value) -> {
            Setting setting = Setting.declared(key, value, "ALTER TABLE SET");
            if (accept(setting, settings, unknown, findings)) {
                change(setting, table, findings);
            }
        });
        conflicts(new InForce(settings, table, findings));
        findings.forget(standing(table));
        findings.throwIfAny("Table " + table.name());
        return findings.warnings();
    }

    /** What is wrong with the table as it stands; a statement about something else may go through all the same. */
    private static Findings standing(TableFacts table) {
        Findings findings = new Findings();
        Map<String, Setting> settings = new HashMap<>();
        table.stored().forEach((key, value) -> settings.put(primary(key), Setting.stored(key, value, table.name())));
        conflicts(new InForce(settings, table, findings));
        return findings;
    }

    /** Only combinations whose parts can all be read are looked at, so that nothing is reported twice. */
    private static void conflicts(InForce options) {
        TableConflicts.find(options);
        ReadConflicts.find(options);
        WriteConflicts.find(options);
    }

    private static boolean accept(
            Setting setting, Map<String, Setting> settings, UnknownOptions unknown, Findings findings) {
        Optional<OptionSpec<?>> spec = REGISTRY.find(setting.writtenKey());
        if (spec.isEmpty()) {
            String wrong = UnknownKey.wrong(REGISTRY, setting.writtenKey());
            if (unknown == UnknownOptions.WARN) {
                findings.warning(setting, wrong, "It is stored with the table");
            } else {
                findings.problem(setting, wrong, UnknownKey.advice(REGISTRY, setting));
            }
            return false;
        }
        if (!spec.get().type().accepts(setting.value())) {
            findings.problem(
                    setting,
                    "the value is not accepted; accepted is "
                            + spec.get().type().accepted(),
                    "Write it so, or " + setting.undo());
            return false;
        }
        @Nullable Setting before = settings.put(spec.get().key(), setting);
        if (before != null
                && before.where().equals(setting.where())
                && !spec.get().type().same(before.value(), setting.value())) {
            findings.problem(setting, "it contradicts " + before.words() + ", the same option", "Keep one of the two");
        }
        REGISTRY.withoutEffect(spec.get().key())
                .ifPresent(reason ->
                        findings.warning(setting, "it has no effect in this connector: " + reason, "Leave it out"));
        return true;
    }

    private static void change(Setting setting, TableFacts table, Findings findings) {
        OptionSpec<?> spec = REGISTRY.find(setting.writtenKey()).orElseThrow();
        if (TableChange.restates(spec, setting.value(), table)) {
            return;
        }
        String has = "the table has " + TableChange.storedWords(spec, table);
        if (spec.place().fixed()) {
            findings.problem(
                    setting, "it is fixed when a table is created; " + has, TableChange.advice(spec, "", table));
        } else if (spec.key().equals(CoreOptions.BUCKET.key())) {
            bucket(setting, table, findings);
        } else if (isOneWay(spec.key()) && setting.value().equalsIgnoreCase("false")) {
            findings.problem(setting, "it can be switched on but not off again; " + has, "Leave it on");
        } else if (isVectors(spec.key()) && !vectorsModifiable(table)) {
            findings.problem(
                    setting,
                    "switching deletion vectors without a full compaction can show rows twice; " + has,
                    "Set '" + CoreOptions.DELETION_VECTORS_MODIFIABLE.key() + "' = 'true' first and compact the table");
        }
    }

    private static void reset(Setting setting, TableFacts table, Findings findings) {
        Optional<OptionSpec<?>> spec = REGISTRY.find(setting.writtenKey());
        if (!table.stored().containsKey(setting.writtenKey())) {
            if (spec.isEmpty()) {
                findings.problem(
                        setting,
                        UnknownKey.wrong(REGISTRY, setting.writtenKey()) + ", and the table does not carry it",
                        UnknownKey.advice(REGISTRY, setting));
            } else if (spec.get().place().fixed()) {
                findings.problem(
                        setting,
                        "the table does not carry it, and what it has by default is fixed when a table is created",
                        "Leave it out");
            }
            return;
        }
        boolean bucket = setting.writtenKey().equals(CoreOptions.BUCKET.key());
        if (bucket || (spec.isPresent() && spec.get().place().fixed())) {
            findings.problem(
                    setting,
                    "it is fixed when a table is created",
                    bucket
                            ? "Use SET for another number of buckets"
                            : "Nothing can change it in this table: create another one without it and copy the rows");
        }
    }

    private static void bucket(Setting setting, TableFacts table, Findings findings) {
        String stored = table.stored().getOrDefault(CoreOptions.BUCKET.key(), "-1");
        if (stored.equals("-1") || setting.value().equals("-1")) {
            findings.problem(
                    setting,
                    "a table cannot change between fixed buckets and none; it has '" + stored + "'",
                    "Create another table with it and copy the rows");
        }
    }

    private static boolean isOneWay(String key) {
        return List.of(CoreOptions.IGNORE_DELETE.key(), CoreOptions.IGNORE_UPDATE_BEFORE.key())
                .contains(key);
    }

    private static boolean isVectors(String key) {
        return key.equals(CoreOptions.DELETION_VECTORS_ENABLED.key());
    }

    private static boolean vectorsModifiable(TableFacts table) {
        return "true"
                .equalsIgnoreCase(table.stored().getOrDefault(CoreOptions.DELETION_VECTORS_MODIFIABLE.key(), "false"));
    }

    private static String primary(String key) {
        return REGISTRY.find(key).map(OptionSpec::key).orElse(key);
    }
}
