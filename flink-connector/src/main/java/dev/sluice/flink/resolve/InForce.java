/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options in force as the rules about combinations look at them.
 *
 * @param settings what somebody set, by primary key
 */
record InForce(Map<String, Setting> settings, TableFacts table, Findings findings) {

    boolean has(String key) {
        return settings.containsKey(key);
    }

    /** The value set, else the default, else the empty text. */
    String text(String key) {
        @Nullable Setting setting = settings.get(key);
        if (setting != null) {
            return setting.value();
        }
        return OptionRegistry.table().find(key).map(OptionSpec::defaultText).orElse("");
    }

    boolean is(String key, String value) {
        return text(key).equalsIgnoreCase(value);
    }

    /** The number set or that holds by default; empty if there is none, or it cannot be read and is reported as such. */
    OptionalLong number(String key) {
        try {
            return OptionalLong.of(Long.parseLong(text(key)));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Whether both are numbers and the first is greater. */
    boolean greater(String one, String other) {
        OptionalLong first = number(one);
        OptionalLong second = number(other);
        return first.isPresent() && second.isPresent() && first.getAsLong() > second.getAsLong();
    }

    /** The keys that are set, in the order given. */
    List<String> present(List<String> keys) {
        return keys.stream().filter(settings::containsKey).toList();
    }

    Set<String> keys() {
        return settings.keySet();
    }

    Setting setting(String key) {
        return Objects.requireNonNull(settings.get(key), key);
    }

    /** Two options that are set and exclude each other. */
    void clash(String key, String other, String why) {
        Setting one = setting(key);
        Setting two = setting(other);
        boolean later = one.scope().compareTo(two.scope()) >= 0;
        Setting stronger = later ? one : two;
        Setting weaker = later ? two : one;
        findings.problem(
                stronger,
                "it excludes " + weaker.words() + ": " + why,
                "Keep one of the two: for this one, " + weaker.undo());
    }

    /** An option that is set and needs another one. */
    void needs(String key, String other, String why) {
        Setting setting = setting(key);
        String present = has(other) ? ", which is " + setting(other).words() : "";
        findings.problem(
                setting,
                "it needs '" + other + "'" + present + ": " + why,
                "Set '" + other + "' too, or " + setting.undo());
    }

    /** An option that is set and does not fit the table. */
    void wrong(String key, String wrong, String advice) {
        findings.problem(setting(key), wrong, advice);
    }

    /** An option that is set and does nothing. */
    void idle(String key, String why, String advice) {
        findings.warning(setting(key), why, advice);
    }
}
