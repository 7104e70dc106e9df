/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.resolve.OptionResolver.Use;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ScopeMergeTest {

    private static final List<String> KEYS =
            List.of("scan.parallelism", "sink.parallelism", "file.compression", "read.batch-size", "lookup.async");

    /** One place for one value; the order of precedence is worked out here by other means than the resolver's. */
    record Place(int scope, boolean catalog, boolean database, boolean table, String key) {

        String sessionKey() {
            return "paimon." + (catalog ? "cat" : "*") + "." + (database ? "db" : "*") + "." + (table ? "t" : "*") + "."
                    + key;
        }

        /** Compared as text: scope, number of named parts, table, database, catalog. */
        String precedence() {
            int named = (catalog ? 1 : 0) + (database ? 1 : 0) + (table ? 1 : 0);
            return scope == 2 ? "" + scope + named + table + database + catalog : "" + scope;
        }
    }

    record Input(Map<Place, String> values) {

        Map<String, String> part(int scope) {
            Map<String, String> part = new LinkedHashMap<>();
            values.forEach((place, value) -> {
                if (place.scope() == scope) {
                    part.put(scope == 2 ? place.sessionKey() : place.key(), value);
                }
            });
            return part;
        }

        ResolvedOptions resolve(Use use, Random order) {
            Map<String, String> session = part(1);
            session.putAll(part(2));
            Map<String, String> hint = part(3);
            hint.keySet().removeIf(key -> (use == Use.READ ? key.startsWith("sink.") : reads(key)));
            return OptionResolver.resolve(
                    Tables.keyed(shuffled(part(0), order)),
                    Map.of(),
                    shuffled(session, order),
                    shuffled(hint, order),
                    use);
        }

        static Map<String, String> shuffled(Map<String, String> options, Random order) {
            List<String> keys = new ArrayList<>(options.keySet());
            Collections.shuffle(keys, order);
            Map<String, String> shuffled = new LinkedHashMap<>();
            keys.forEach(key -> shuffled.put(key, options.get(key)));
            return shuffled;
        }
    }

    private static boolean reads(String key) {
        return key.startsWith("scan.") || key.startsWith("lookup.") || key.startsWith("read.");
    }

    @Provide
    Arbitrary<Input> inputs() {
        Arbitrary<Boolean> named = Arbitraries.of(true, false);
        Arbitrary<Place> places = Combinators.combine(
                        Arbitraries.integers().between(0, 3), named, named, named, Arbitraries.of(KEYS))
                .as((scope, catalog, database, table, key) -> scope == 2
                        ? new Place(scope, catalog, database, table, key)
                        : new Place(scope, false, false, false, key));
        return Arbitraries.maps(places, Arbitraries.integers().between(1, 1000))
                .ofMaxSize(25)
                .map(numbers -> {
                    Map<Place, String> values = new LinkedHashMap<>();
                    numbers.forEach((place, number) -> values.put(place, value(place.key(), number)));
                    return new Input(values);
                });
    }

    private static String value(String key, int number) {
        return switch (key) {
            case "file.compression" -> "codec-" + number;
            case "lookup.async" -> number % 2 == 0 ? "true" : "false";
            default -> String.valueOf(number);
        };
    }

    @Property
    void theMostSpecificWins(@ForAll("inputs") Input input, @ForAll Use use, @ForAll Random order) {
        ResolvedOptions resolved = input.resolve(use, order);

        for (String key : KEYS) {
            boolean foreignSide = use == Use.READ ? key.startsWith("sink.") : reads(key);
            Optional<Map.Entry<Place, String>> expected = input.values().entrySet().stream()
                    .filter(entry -> entry.getKey().key().equals(key))
                    .filter(entry -> entry.getKey().scope() == 0 || !foreignSide)
                    .max((one, other) ->
                            one.getKey().precedence().compareTo(other.getKey().precedence()));
            assertThat(resolved.get(key).map(ResolvedOption::value)).isEqualTo(expected.map(Map.Entry::getValue));
        }
    }

    @Property
    void theOrderOfTheMapsDoesNotMatter(@ForAll("inputs") Input input, @ForAll Use use, @ForAll Random order) {
        ResolvedOptions one = input.resolve(use, order);
        ResolvedOptions other = input.resolve(use, order);

        assertThat(other.effective()).isEqualTo(one.effective());
        assertThat(other.listing()).isEqualTo(one.listing());
    }

    @Property
    void resolvingWhatWasResolvedChangesNothing(@ForAll("inputs") Input input, @ForAll Use use, @ForAll Random order) {
        Map<String, String> once = input.resolve(use, order).toMap();

        Map<String, String> twice = OptionResolver.resolve(Tables.keyed(once), Map.of(), Map.of(), Map.of(), use)
                .toMap();

        assertThat(twice).isEqualTo(once);
    }

    @Property
    void everyLosingValueIsRemembered(@ForAll("inputs") Input input, @ForAll Random order) {
        ResolvedOptions resolved = input.resolve(Use.READ, order);

        Map<String, Long> set = new TreeMap<>();
        input.values().keySet().stream()
                .filter(place -> !place.key().startsWith("sink.") || place.scope() == 0)
                .forEach(place -> set.merge(place.key(), 1L, Long::sum));
        set.forEach((key, count) -> assertThat(
                        resolved.get(key).orElseThrow().overrode().size() + 1)
                .isEqualTo(count.intValue()));
    }
}
