/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one key.
 *
 * @param key the primary name
 * @param aliases other spellings that are accepted for the same thing, in the order they are documented
 * @param type how its text is read
 * @param defaultText the default as a user would write it, or null if there is none
 * @param words description and unit for people
 * @param place who looks at it and where it may be set
 * @param settings the Flink option that settings are built from, or null if the engine reads the value
 */
public record OptionSpec<T>(
        String key,
        List<Alias> aliases,
        ValueType<T> type,
        @Nullable String defaultText,
        Words words,
        Place place,
        @Nullable ConfigOption<T> settings) {

    /** Another spelling and who uses it. */
    public record Alias(String key, Origin origin) {}

    /**
     * @param description what it does, one or two sentences
     * @param unit what the value counts or measures, such as "rows" or "flag"
     * @param note where two documents disagree: which one holds and why; null if none does
     * @param origins who documents this very key
     */
    public record Words(
            String description, String unit, @Nullable String note, Set<Origin> origins) {}

    /**
     * @param side who looks at it
     * @param definesTable part of what the table is: neither session nor statement can change it
     * @param fixed not even ALTER TABLE can change it
     * @param dynamic may be set for a session or a statement
     * @param declared declared by this connector, rather than only known from the engine's classes
     */
    public record Place(Side side, boolean definesTable, boolean fixed, boolean dynamic, boolean declared) {}

    public Side side() {
        return place.side();
    }

    /** The key, which says enough in a debugger or the name of a test. */
    @Override
    public String toString() {
        return key;
    }
}
