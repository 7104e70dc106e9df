/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody may have meant. */
final class NearestKeys {

    private static final int MOST = 3;

    private NearestKeys() {}

    /** At most three, nearest first; empty if none is near enough to be a slip of the pen. */
    static List<String> of(String key, Collection<String> known) {
        record Near(String key, int distance) {}
        int bound = Math.max(2, key.length() / 4);
        List<Near> near = new ArrayList<>();
        for (String candidate : known) {
            int distance = distance(folded(key), folded(candidate), bound);
            if (distance <= bound) {
                near.add(new Near(candidate, distance));
            } else if (sameWords(key, candidate)) {
                near.add(new Near(candidate, bound));
            }
        }
        return near.stream()
                .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::key))
                .limit(MOST)
                .map(Near::key)
                .toList();
    }

    /** Separators and case are what people get wrong most and cost nothing. */
    private static String folded(String key) {
        return key.toLowerCase(Locale.ROOT).replace('_', '-').replace('.', '-');
    }

    private static boolean sameWords(String one, String other) {
        return words(one).equals(words(other));
    }

    private static List<String> words(String key) {
        return Arrays.stream(folded(key).split("-")).sorted().toList();
    }

    /** Insertions, deletions, replacements and swaps of neighbours; anything above the bound may be reported as more. */
    static int distance(String one, String other, int bound) {
        if (Math.abs(one.length() - other.length()) > bound) {
            return bound + 1;
        }
        int[] beforeLast = new int[other.length() + 1];
        int[] last = new int[other.length() + 1];
        for (int column = 0; column < last.length; column++) {
            last[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] now = new int[other.length() + 1];
            now[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                boolean same = one.charAt(row - 1) == other.charAt(column - 1);
                int best = Math.min(Math.min(last[column], now[column - 1]) + 1, last[column - 1] + (same ? 0 : 1));
                if (swapped(one, other, row, column)) {
                    best = Math.min(best, beforeLast[column - 2] + 1);
                }
                now[column] = best;
            }
            beforeLast = last;
            last = now;
        }
        return last[other.length()];
    }

    private static boolean swapped(String one, String other, int row, int column) {
        return row > 1
                && column > 1
                && one.charAt(row - 1) == other.charAt(column - 2)
                && one.charAt(row - 2) == other.charAt(column - 1);
    }
}
