/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** The options in force for one reference to a table, each with its scope. Immutable; keys are primary names. */
public final class ResolvedOptions {

    /** Options that say where in a table's history a read begins. */
    public static final List<String> READ_POSITIONS = ReadConflicts.POSITIONS;

    private final Map<String, ResolvedOption> options;
    private final List<OptionProblem> warnings;
    private final boolean reading;

    ResolvedOptions(Map<String, ResolvedOption> options, List<OptionProblem> warnings, boolean reading) {
        this.options = Collections.unmodifiableMap(new TreeMap<>(options));
        this.warnings = List.copyOf(warnings);
        this.reading = reading;
    }

    /** The values somebody set, by primary key, sorted. */
    public Collection<ResolvedOption> set() {
        return options.values();
    }

    public Optional<ResolvedOption> get(String key) {
        return Optional.ofNullable(options.get(key));
    }

    /** What people should know and that stops nothing: foreign keys of the table, options without effect. */
    public List<OptionProblem> warnings() {
        return warnings;
    }

    /** All values somebody set, in clear; what settings are built from. */
    public Map<String, String> toMap() {
        return options.values().stream()
                .collect(Collectors.toMap(
                        ResolvedOption::key, ResolvedOption::value, (one, other) -> one, TreeMap::new));
    }

    /** The same as Flink's kind of configuration. */
    public Configuration toConfiguration() {
        return Configuration.fromMap(toMap());
    }

    /** The values of session and statement only, in clear: what the engine's table is copied with. */
    public Map<String, String> dynamic() {
        return options.values().stream()
                .filter(option -> option.scope().compareTo(Scope.TABLE) > 0)
                .filter(option -> OptionRegistry.table()
                        .find(option.key())
                        .map(spec -> spec.place().dynamic())
                        .orElse(true))
                .collect(Collectors.toMap(
                        ResolvedOption::key, ResolvedOption::value, (one, other) -> one, TreeMap::new));
    }

    /** What is set and, for options of this connector on this side, what holds by default; sorted by key. */
    public List<ResolvedOption> effective() {
        Map<String, ResolvedOption> all = new TreeMap<>(options);
        for (OptionSpec<?> spec : OptionRegistry.table().declared()) {
            @Nullable String text = spec.defaultText();
            if (text != null && spec.side().reaches(reading)) {
                all.putIfAbsent(
                        spec.key(), new ResolvedOption(spec.key(), text, Scope.DEFAULT, "default", List.of(), text));
            }
        }
        return new ArrayList<>(all.values());
    }

    /** One line an option of {@link #effective()}, for the log of a job. */
    public String listing() {
        return effective().stream().map(ResolvedOption::line).collect(Collectors.joining("\n"));
    }
}
