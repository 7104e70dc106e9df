/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;

/** The ranges most options share. */
final class Positive {

    private Positive() {}

    /** @throws IllegalArgumentException if the value is set and below 1, naming the option and the value */
    static void check(ConfigOption<? extends Number> option, @Nullable Number value) {
        if (value != null && value.longValue() < 1) {
            throw refused(option, value, "a whole number from 1");
        }
    }

    /** @throws IllegalArgumentException if the value is set and not above zero, naming the option and the value */
    static void check(ConfigOption<Double> option, double value) {
        if (!(value > 0)) {
            throw refused(option, value, "a number above 0");
        }
    }

    /** @throws IllegalArgumentException if the value is set and below a millisecond, naming the option and the value */
    static void check(ConfigOption<Duration> option, @Nullable Duration value) {
        if (value != null && value.toMillis() < 1) {
            throw refused(option, value, "a duration from 1 ms");
        }
    }

    /** @throws IllegalArgumentException if the value is set and empty, naming the option and the value */
    static void check(ConfigOption<MemorySize> option, @Nullable MemorySize value) {
        if (value != null && value.getBytes() < 1) {
            throw refused(option, value, "a size above 0");
        }
    }

    static IllegalArgumentException refused(ConfigOption<?> option, Object value, String accepted) {
        return new IllegalArgumentException(
                "Option '" + option.key() + "' is " + value + "; accepted is " + accepted + ".");
    }
}
