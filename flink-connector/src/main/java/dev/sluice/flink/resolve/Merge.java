/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import dev.sluice.flink.option.UnknownOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lays one scope over the other. Settings are offered weakest first; each offer replaces what is there for the same
 * option and remembers it. Confined to one call.
 */
final class Merge {

    private final OptionRegistry registry = OptionRegistry.table();
    private final TableFacts table;
    private final boolean reading;
    private final UnknownOptions unknown;
    private final Findings findings;
    private final Map<String, ResolvedOption> options = new TreeMap<>();
    private final Map<String, Setting> winners = new HashMap<>();

    Merge(TableFacts table, boolean reading, UnknownOptions unknown, Findings findings) {
        this.table = table;
        this.reading = reading;
        this.unknown = unknown;
        this.findings = findings;
    }

    /** A stored key that nobody knows stays: another engine or a newer version put it there. */
    void stored(Setting setting) {
        Optional<OptionSpec<?>> spec = registry.find(setting.writtenKey());
        if (spec.isEmpty()) {
            findings.warning(
                    setting,
                    "no option of this connector or of the engine has this key, so it has no effect here",
                    "Leave it if another engine needs it, else " + setting.undo());
            put(setting.writtenKey(), setting, null);
            return;
        }
        if (spec.get().side().reaches(reading) && !parses(spec.get(), setting)) {
            return;
        }
        put(spec.get().key(), setting, spec.get());
    }

    /** Of the session only what is known, may change at run time and is for this side. */
    void session(Setting setting) {
        Optional<OptionSpec<?>> found = registry.find(setting.writtenKey());
        if (found.isEmpty()) {
            if (setting.scope() == Scope.SESSION_TABLE) {
                unknown(setting);
            }
            return;
        }
        OptionSpec<?> spec = found.get();
        if (setting.scope() == Scope.SESSION
                && !spec.place().definesTable()
                && !spec.place().dynamic()) {
            return; // Storage and the like: Flink has keys of the same names.
        }
        if (setting.scope() == Scope.SESSION && !registry.isSessionName(setting.writtenKey())) {
            return; // A pattern such as orc.* is too wide to be taken from a whole session.
        }
        if (spec.side().reaches(reading)) {
            dynamic(spec, setting);
        }
    }

    void statement(Setting setting) {
        Optional<OptionSpec<?>> found = registry.find(setting.writtenKey());
        if (found.isEmpty()) {
            unknown(setting);
            return;
        }
        OptionSpec<?> spec = found.get();
        if (spec.side().reaches(reading)) {
            dynamic(spec, setting);
            return;
        }
        findings.problem(
                setting,
                "it is a " + spec.side().words() + " option and this reference to the table is "
                        + (reading ? "read" : "written"),
                "Put the hint on the reference that is " + (reading ? "written" : "read") + ", or leave it out");
    }

    /** The WITH clause of a table without a catalog holds options for both sides, and for its storage. */
    void with(Setting setting) {
        Optional<OptionSpec<?>> found = registry.find(setting.writtenKey());
        if (found.isEmpty()) {
            unknown(setting);
            return;
        }
        OptionSpec<?> spec = found.get();
        boolean dynamic = spec.place().dynamic() && spec.side().reaches(reading);
        if (dynamic || (spec.place().definesTable() && !TableChange.OPENS.contains(spec.key()))) {
            dynamic(spec, setting);
        } else if (parses(spec, setting)) {
            put(spec.key(), setting, spec);
        }
    }

    Map<String, ResolvedOption> options() {
        return options;
    }

    Findings findings() {
        return findings;
    }

    /** The settings behind {@link #options()}, by primary key. */
    Map<String, Setting> winners() {
        return winners;
    }

    private void dynamic(OptionSpec<?> spec, Setting setting) {
        if (!parses(spec, setting)) {
            return;
        }
        if (spec.place().definesTable()) {
            if (!TableChange.restates(spec, setting.value(), table)) {
                findings.problem(
                        setting,
                        "it defines the table, which has " + TableChange.storedWords(spec, table)
                                + ", and neither a session nor a statement can change that",
                        TableChange.advice(spec, setting.value(), table) + "; here " + setting.undo());
            }
            return;
        }
        if (!spec.place().dynamic()) {
            findings.problem(
                    setting,
                    "storage is opened with the catalog, before any session or statement",
                    "Give it to CREATE CATALOG, or to the WITH clause of a table without a catalog; here "
                            + setting.undo());
            return;
        }
        put(spec.key(), setting, spec);
    }

    private void unknown(Setting setting) {
        if (unknown == UnknownOptions.WARN) {
            findings.warning(
                    setting, UnknownKey.wrong(registry, setting.writtenKey()), "It is passed on to the engine");
            put(setting.writtenKey(), setting, null);
            return;
        }
        findings.problem(
                setting, UnknownKey.wrong(registry, setting.writtenKey()), UnknownKey.advice(registry, setting));
    }

    private boolean parses(OptionSpec<?> spec, Setting setting) {
        if (spec.type().accepts(setting.value())) {
            return true;
        }
        findings.problem(
                setting,
                "the value is not accepted; accepted is " + spec.type().accepted(),
                setting.scope() == Scope.TABLE ? TableChange.mend(spec, table) : "Write it so, or " + setting.undo());
        return false;
    }

    private void put(String key, Setting setting, @Nullable OptionSpec<?> spec) {
        @Nullable Setting before = winners.get(key);
        if (before != null && before.scope() == setting.scope() && before.rank() == setting.rank()) {
            if (spec == null || !spec.type().same(before.value(), setting.value())) {
                sameRank(key, before, setting);
            }
            if (before.writtenKey().equals(key)) {
                return; // The primary name counts where one scope has both spellings.
            }
        }
        if (spec == null || spec.side().reaches(reading)) {
            registry.withoutEffect(key)
                    .ifPresent(reason ->
                            findings.warning(setting, "it has no effect in this connector: " + reason, "Leave it out"));
        }
        winners.put(key, setting);
        options.put(key, resolvedOption(key, setting, spec));
    }

    private void sameRank(String key, Setting before, Setting setting) {
        String other = before.words();
        if (setting.scope() == Scope.TABLE) {
            findings.warning(
                    setting,
                    "the table also has " + other + " for the same option, and '" + key + "' counts",
                    "Keep one");
        } else {
            findings.problem(setting, "it contradicts " + other + ", which is as specific", "Keep one of the two");
        }
    }

    private ResolvedOption resolvedOption(String key, Setting setting, @Nullable OptionSpec<?> spec) {
        List<ResolvedOption.Overridden> overrode = new ArrayList<>();
        @Nullable ResolvedOption before = options.get(key);
        if (before != null) {
            overrode.add(new ResolvedOption.Overridden(before.value(), before.scope(), before.where()));
            overrode.addAll(before.overrode());
        }
        return new ResolvedOption(
                key,
                setting.value(),
                setting.scope(),
                setting.where(),
                List.copyOf(overrode),
                spec == null ? null : spec.defaultText());
    }
}
