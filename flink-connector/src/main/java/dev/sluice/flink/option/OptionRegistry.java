/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All keys: those this connector declares, those the engine's classes declare, and keys with a name inside. */
public final class OptionRegistry {

    private static final OptionRegistry TABLE = new OptionRegistry(EngineOptions.table(), declaredForTables(), false);
    private static final OptionRegistry CATALOG =
            new OptionRegistry(EngineOptions.catalog(), PaimonCatalogOptions.specs().stream(), true);

    private final Map<String, OptionSpec<?>> byKey;
    private final Map<String, OptionSpec<?>> bySpelling = new HashMap<>();
    private final boolean catalog;

    private OptionRegistry(
            Map<String, OptionSpec<?>> engine, Stream<? extends OptionSpec<?>> declared, boolean catalog) {
        Map<String, OptionSpec<?>> all = new TreeMap<>(engine);
        declared.forEach(spec -> all.put(spec.key(), spec));
        this.byKey = Collections.unmodifiableMap(all);
        this.catalog = catalog;
        all.values().forEach(this::addSpellings);
        bySpelling.putAll(all);
    }

    /** A spelling that two options share stays a key of its own: what it means depends on the table's format. */
    private <T> void addSpellings(OptionSpec<T> spec) {
        for (OptionSpec.Alias alias : spec.aliases()) {
            @Nullable OptionSpec<?> other = bySpelling.putIfAbsent(alias.key(), spec);
            if (other != null) {
                bySpelling.put(
                        alias.key(),
                        new OptionSpec<>(alias.key(), List.of(), spec.type(), null, spec.words(), spec.place(), null));
            }
        }
    }

    /** What a table can carry, and what a session or a statement can set on it. */
    public static OptionRegistry table() {
        return TABLE;
    }

    /** What a catalog can be created with; {@code table-default.} keys are looked up in {@link #table()}. */
    public static OptionRegistry catalog() {
        return CATALOG;
    }

    /** By primary key, by another spelling of it, or by the pattern it fits. */
    public Optional<OptionSpec<?>> find(String key) {
        @Nullable OptionSpec<?> spec = bySpelling.get(key);
        if (spec != null) {
            return Optional.of(spec);
        }
        return catalog ? KeyPatterns.catalog(key) : KeyPatterns.table(key);
    }

    /** Whether the key is declared by itself, rather than only fitting a pattern. */
    public boolean isDeclared(String key) {
        return bySpelling.containsKey(key);
    }

    /**
     * Whether a whole session may use this name: a primary name, or another spelling of an option that this connector
     * declares. The engine's old spellings include words as short as "mode", which may be meant for anything.
     */
    public boolean isSessionName(String key) {
        @Nullable OptionSpec<?> spec = bySpelling.get(key);
        return spec != null && (spec.place().declared() || byKey.containsKey(key));
    }

    /** At most three known keys that may have been meant, nearest first. */
    public List<String> nearest(String key) {
        return NearestKeys.of(key, candidates(key));
    }

    /** The answer to another connector's spelling; a key that is known here is not foreign. */
    public Optional<ForeignKeys.Answer> foreign(String key) {
        if (find(key).isPresent()) {
            return Optional.empty();
        }
        return catalog ? ForeignKeys.catalog(key) : ForeignKeys.table(key);
    }

    /** Why an option that is known does nothing in this connector, if so. */
    public Optional<String> withoutEffect(String key) {
        return catalog ? Optional.empty() : find(key).flatMap(WithoutEffect::reason);
    }

    /** Whether the key belongs to a file system: part of a catalog, or of a table that has none. */
    public boolean isStorage(String key) {
        return KeyPatterns.isStorage(key);
    }

    /** The columns that a {@code fields.<column>.…} key names; empty for any other key. */
    public List<String> columnsIn(String key) {
        return KeyPatterns.fieldsOf(key);
    }

    /** Sorted by primary key. */
    public Collection<OptionSpec<?>> all() {
        return byKey.values();
    }

    /** The ones this connector declares, sorted by primary key. */
    public List<OptionSpec<?>> declared() {
        return byKey.values().stream().filter(spec -> spec.place().declared()).toList();
    }

    /** Spellings, with the name in angle brackets, of keys that are not declared one by one. */
    public static Set<String> patterns() {
        return KeyPatterns.spellings();
    }

    private Set<String> candidates(String key) {
        Set<String> candidates = new TreeSet<>(byKey.keySet());
        if (!catalog && key.startsWith("fields.")) {
            int last = key.indexOf('.', "fields.".length());
            if (last > 0) {
                String column = key.substring(0, last + 1);
                KeyPatterns.FIELD_SUFFIXES.forEach(suffix -> candidates.add(column + suffix));
            }
        }
        return candidates;
    }

    private static Stream<OptionSpec<?>> declaredForTables() {
        return Stream.of(
                        TableOptions.specs(),
                        ReadOptions.specs(),
                        ReadLimitOptions.specs(),
                        WatermarkOptions.specs(),
                        LookupOptions.specs(),
                        WriteOptions.specs(),
                        CommitOptions.specs(),
                        WriterResourceOptions.specs())
                .flatMap(List::stream);
    }
}
