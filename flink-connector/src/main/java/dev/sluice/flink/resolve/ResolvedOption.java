/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value in force.
 *
 * @param key the option's primary name
 * @param value as it was written, in clear
 * @param scope whose value it is
 * @param where the place in that scope, for people
 * @param overrode the values it won over, strongest first
 * @param defaultText what would hold if nobody had set it, or null if nothing would
 */
public record ResolvedOption(
        String key,
        String value,
        Scope scope,
        String where,
        List<Overridden> overrode,
        @Nullable String defaultText) {

    /** A value that lost. */
    public record Overridden(String value, Scope scope, String where) {}

    /** The value as it may be shown. */
    public String shownValue() {
        return Secrets.shown(key, value);
    }

    /** Key, value, scope, what it overrode and the default, as they may be shown. */
    String line() {
        String line = key + " = " + shownValue() + "  [" + where + "]";
        if (!overrode.isEmpty()) {
            line += "  instead of " + shownOverrode();
        }
        return scope == Scope.DEFAULT || defaultText == null
                ? line
                : line + "  default " + Secrets.shown(key, defaultText);
    }

    /** The values it won over as they may be shown, strongest first; empty if there are none. */
    public String shownOverrode() {
        StringBuilder text = new StringBuilder();
        for (Overridden lost : overrode) {
            text.append(text.isEmpty() ? "" : "; ")
                    .append(Secrets.shown(key, lost.value()))
                    .append(" (")
                    .append(lost.where())
                    .append(')');
        }
        return text.toString();
    }
}
