/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import dev.sluice.flink.option.PaimonCatalogOptions;
import dev.sluice.flink.option.UnknownOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.options.CatalogOptions;

/** Checks the options of CREATE CATALOG, before anything is opened. Stateless. */
public final class CatalogDdl {

    private static final Set<String> OF_FLINK = Set.of("type", "property-version");

    /** A catalog of anyone else's making may have keys of its own. */
    private static final Set<String> KNOWN_METASTORES = Set.of("filesystem", "jdbc", "hive", "rest");

    private CatalogDdl() {}

    /**
     * @param name the catalog's name, for messages
     * @param options all of the WITH clause
     * @return warnings
     * @throws OptionException naming everything that is wrong at once
     */
    public static List<OptionProblem> create(String name, Map<String, String> options) {
        Findings findings = new Findings();
        UnknownOptions unknown = unknownOptions(options);
        new TreeMap<>(options).forEach((key, value) -> {
            if (key.startsWith(PaimonCatalogOptions.TABLE_DEFAULT_PREFIX)) {
                tableDefault(key, value, unknown, findings);
            } else if (!OF_FLINK.contains(key)) {
                option(key, value, unknown, findings);
            }
        });
        findings.throwIfAny("Catalog " + name);
        return findings.warnings();
    }

    /** The {@code table-default.} options without that prefix. */
    static Map<String, String> tableDefaults(Map<String, String> options) {
        int start = PaimonCatalogOptions.TABLE_DEFAULT_PREFIX.length();
        return options.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(PaimonCatalogOptions.TABLE_DEFAULT_PREFIX))
                .collect(Collectors.toMap(entry -> entry.getKey().substring(start), Map.Entry::getValue));
    }

    /** The options with other spellings replaced by the names that the engine looks for. */
    public static Map<String, String> withPrimaryKeys(Map<String, String> options) {
        Map<String, String> primary = new TreeMap<>();
        options.forEach((key, value) -> {
            String name = OptionRegistry.catalog().isDeclared(key)
                    ? OptionRegistry.catalog().find(key).orElseThrow().key()
                    : key;
            if (name.equals(key) || !options.containsKey(name)) {
                primary.put(name, value);
            }
        });
        return primary;
    }

    /** What the catalog does with keys that nobody knows; a custom metastore may know keys that we cannot. */
    public static UnknownOptions unknownOptions(Map<String, String> options) {
        String metastore = options.getOrDefault(CatalogOptions.METASTORE.key(), "filesystem");
        String value = options.get(PaimonCatalogOptions.UNKNOWN_OPTIONS.key());
        if (value == null) {
            return KNOWN_METASTORES.contains(metastore) ? UnknownOptions.ERROR : UnknownOptions.WARN;
        }
        return UnknownOptions.WARN.toString().equalsIgnoreCase(value) ? UnknownOptions.WARN : UnknownOptions.ERROR;
    }

    private static void option(String key, String value, UnknownOptions unknown, Findings findings) {
        check(OptionRegistry.catalog(), Setting.declared(key, value, "CREATE CATALOG"), unknown, findings);
    }

    private static void tableDefault(String key, String value, UnknownOptions unknown, Findings findings) {
        String bare = key.substring(PaimonCatalogOptions.TABLE_DEFAULT_PREFIX.length());
        Setting setting = Setting.declared(bare, value, "'" + key + "' of CREATE CATALOG");
        if (OptionRegistry.table()
                .find(bare)
                .filter(spec -> spec.key().equals("path"))
                .isPresent()) {
            findings.problem(setting, "the catalog itself places its tables", "Set 'warehouse' instead");
            return;
        }
        check(OptionRegistry.table(), setting, unknown, findings);
    }

    private static void check(OptionRegistry registry, Setting setting, UnknownOptions unknown, Findings findings) {
        Optional<OptionSpec<?>> spec = registry.find(setting.writtenKey());
        if (spec.isPresent()) {
            if (!spec.get().type().accepts(setting.value())) {
                findings.problem(
                        setting,
                        "the value is not accepted; accepted is "
                                + spec.get().type().accepted(),
                        "Write it so, or " + setting.undo());
            }
            return;
        }
        String wrong = UnknownKey.wrong(registry, setting.writtenKey());
        if (unknown == UnknownOptions.WARN) {
            findings.warning(setting, wrong, "It is passed on");
        } else {
            findings.problem(setting, wrong, UnknownKey.advice(registry, setting));
        }
    }
}
