/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;
import org.jspecify.annotations.Nullable;

/**
 * The options that one class declares, each with a single statement that makes both the Flink option settings are read
 * with and the {@link OptionSpec} that checks and documents it. Filled while that class initializes, on one thread.
 */
final class Family {

    private final Side side;
    private final List<OptionSpec<?>> specs = new ArrayList<>();

    Family(Side side) {
        this.side = side;
    }

    <T> Declaration<T> key(String key, ValueType<T> type) {
        return new Declaration<>(key, type);
    }

    /** An option that the engine reads from the table's options, with our words, and a range if it needs one. */
    <T> Declaration<T> engine(org.apache.paimon.options.ConfigOption<T> option) {
        OptionSpec<T> known = EngineOptions.spec(option);
        Declaration<T> declaration = new Declaration<>(known.key(), known.type());
        declaration.defaultText = known.defaultText();
        declaration.aliases.addAll(known.aliases());
        declaration.definesTable = known.place().definesTable();
        declaration.fixed = known.place().fixed();
        return declaration;
    }

    List<OptionSpec<?>> specs() {
        return List.copyOf(specs);
    }

    /** One option on its way; ends with {@link #defaultsTo}, {@link #noDefault} or {@link #readByEngine}. */
    final class Declaration<T> {

        private final String key;
        private ValueType<T> type;
        private final List<OptionSpec.Alias> aliases = new ArrayList<>();
        private final Set<Origin> origins = EnumSet.noneOf(Origin.class);
        private @Nullable String defaultText;
        private @Nullable String note;
        private String unit = "";
        private String description = "";
        private Side place = side;
        private boolean definesTable;
        private boolean fixed;

        private Declaration(String key, ValueType<T> type) {
            this.key = key;
            this.type = type;
        }

        Declaration<T> alias(String spelling, Origin origin) {
            aliases.add(new OptionSpec.Alias(spelling, origin));
            return this;
        }

        Declaration<T> from(Origin... documents) {
            origins.addAll(List.of(documents));
            return this;
        }

        Declaration<T> within(String accepted, Predicate<T> range) {
            type = type.within(accepted, range);
            return this;
        }

        Declaration<T> side(Side other) {
            place = other;
            return this;
        }

        Declaration<T> unit(String words) {
            unit = words;
            return this;
        }

        Declaration<T> note(String words) {
            note = words;
            return this;
        }

        Declaration<T> about(String words) {
            description = words;
            return this;
        }

        Declaration<T> definesTable() {
            definesTable = true;
            return this;
        }

        Declaration<T> fixed() {
            fixed = true;
            return this;
        }

        ConfigOption<T> defaultsTo(T value) {
            defaultText = text(value);
            return option(type.of(ConfigOptions.key(key)).defaultValue(value));
        }

        ConfigOption<T> noDefault() {
            return option(type.of(ConfigOptions.key(key)).noDefaultValue());
        }

        /** Ends the declaration of an option whose value only the engine reads. */
        void readByEngine() {
            add(null);
        }

        private ConfigOption<T> option(ConfigOption<T> bare) {
            String[] fallbacks = aliases.stream().map(OptionSpec.Alias::key).toArray(String[]::new);
            ConfigOption<T> option = bare.withFallbackKeys(fallbacks).withDescription(description);
            add(option);
            return option;
        }

        private void add(@Nullable ConfigOption<T> option) {
            boolean dynamic = !definesTable && place != Side.CATALOG && place != Side.TABLE;
            specs.add(new OptionSpec<>(
                    key,
                    List.copyOf(aliases),
                    type,
                    defaultText,
                    new OptionSpec.Words(description, unit, note, Set.copyOf(origins)),
                    new OptionSpec.Place(place, definesTable, fixed, dynamic, true),
                    option));
        }
    }

    static String text(Object value) {
        if (value instanceof Duration duration) {
            return TimeUtils.formatWithHighestUnit(duration);
        }
        if (value instanceof MemorySize size) {
            return size.toString();
        }
        return value.toString();
    }
}
