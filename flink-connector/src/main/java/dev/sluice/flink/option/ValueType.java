/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOptions.OptionBuilder;
import org.apache.flink.configuration.ConfigOptions.TypedConfigOptionBuilder;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/**
 * How the text of an option is read: strictly, and able to say what it accepts. Immutable.
 *
 * @param <T> what the text becomes
 */
public final class ValueType<T> {

    private final String name;
    private final String accepted;
    private final Function<String, T> parser;
    private final Predicate<T> range;
    private final Function<OptionBuilder, TypedConfigOptionBuilder<T>> flink;

    private ValueType(
            String name,
            String accepted,
            Function<String, T> parser,
            Predicate<T> range,
            Function<OptionBuilder, TypedConfigOptionBuilder<T>> flink) {
        this.name = name;
        this.accepted = accepted;
        this.parser = parser;
        this.range = range;
        this.flink = flink;
    }

    public static ValueType<Boolean> bool() {
        return new ValueType<>("Boolean", "true or false", ValueType::strictBoolean, v -> true, b -> b.booleanType());
    }

    public static ValueType<Integer> integer() {
        return new ValueType<>("Integer", "a whole number", Integer::valueOf, v -> true, b -> b.intType());
    }

    public static ValueType<Integer> integerFrom(int least) {
        return integer().within("a whole number from " + least, v -> v >= least);
    }

    public static ValueType<Long> longFrom(long least) {
        return wholeLong().within("a whole number from " + least, v -> v >= least);
    }

    public static ValueType<Long> wholeLong() {
        return new ValueType<>("Long", "a whole number", Long::valueOf, v -> true, b -> b.longType());
    }

    public static ValueType<Double> positiveDouble() {
        return new ValueType<>(
                "Double",
                "a number above 0",
                Double::valueOf,
                v -> v > 0 && !Double.isInfinite(v),
                b -> b.doubleType());
    }

    public static ValueType<String> text() {
        return new ValueType<>("String", "text that is not empty", s -> s, s -> !s.isBlank(), b -> b.stringType());
    }

    public static ValueType<Duration> positiveDuration() {
        return new ValueType<>(
                "Duration",
                "a duration above 0 such as '10 s', '500 ms' or '1 h' (a bare number is milliseconds)",
                TimeUtils::parseDuration,
                v -> !v.isZero() && !v.isNegative(),
                b -> b.durationType());
    }

    public static ValueType<MemorySize> positiveMemory() {
        return new ValueType<>(
                "MemorySize",
                "a size above 0 such as '256 mb' or '1 gb' (a bare number is bytes)",
                MemorySize::parse,
                v -> v.getBytes() > 0,
                b -> b.memoryType());
    }

    /** Names are compared without case, as {@code toString()} of the constants spells them. */
    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        String names = constants.stream().map(Object::toString).collect(Collectors.joining(", "));
        return new ValueType<>(
                "Enum", "one of " + names, s -> constant(constants, s), v -> true, b -> b.enumType(type));
    }

    /** The same type with a narrower range. */
    public ValueType<T> within(String newAccepted, Predicate<T> newRange) {
        return new ValueType<>(name, newAccepted, parser, range.and(newRange), flink);
    }

    /** Reads with what an engine's option reads with. */
    static <T> ValueType<T> engine(String name, String accepted, Function<String, T> parser) {
        return new ValueType<>(name, accepted, parser, v -> true, b -> {
            throw new IllegalStateException("An engine's option is read by the engine, not through Flink.");
        });
    }

    /**
     * @throws IllegalArgumentException if the text is not of this type or outside its range; say {@link #accepted()}
     */
    public T parse(String text) {
        T value = parser.apply(text);
        if (!range.test(value)) {
            throw new IllegalArgumentException("outside the range");
        }
        return value;
    }

    public boolean accepts(String text) {
        try {
            parse(text);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Whether two texts mean one value; texts that cannot be read are compared as they stand. */
    public boolean same(String one, String other) {
        if (one.equals(other)) {
            return true;
        }
        try {
            return Objects.equals(parse(one), parse(other));
        } catch (RuntimeException e) {
            return false;
        }
    }

    public String name() {
        return name;
    }

    /** Completes "accepted is …". */
    public String accepted() {
        return accepted;
    }

    TypedConfigOptionBuilder<T> of(OptionBuilder builder) {
        return flink.apply(builder);
    }

    private static Boolean strictBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new IllegalArgumentException("not a boolean");
        };
    }

    private static <E> E constant(List<E> constants, String text) {
        return constants.stream()
                .filter(c -> c.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("none of " + Arrays.toString(constants.toArray())));
    }
}
