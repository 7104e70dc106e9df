/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import org.apache.flink.configuration.ConfigOption;
import org.jspecify.annotations.Nullable;

/** The one range most numeric options share. */
final class Positive {

    private Positive() {}

    /** @throws IllegalArgumentException if the value is set and below 1, naming the option and the value */
    static void check(ConfigOption<Integer> option, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(
                    "Option '" + option.key() + "' is " + value + "; accepted is a whole number from 1.");
        }
    }
}
