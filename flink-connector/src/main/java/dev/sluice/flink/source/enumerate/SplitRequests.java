/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many splits each reader has asked for and not been given yet, longest waiting reader first. */
final class SplitRequests {

    private final Map<Integer, Integer> open = new LinkedHashMap<>();

    void add(int subtask) {
        open.merge(subtask, 1, Integer::sum);
    }

    void answered(int subtask) {
        open.computeIfPresent(subtask, (reader, requests) -> requests == 1 ? null : requests - 1);
    }

    /** The reader is gone or starts anew; what it asked for before no longer counts. */
    void forget(int subtask) {
        open.remove(subtask);
    }

    /** A copy, so that the caller may answer while it goes through it. */
    List<Integer> readers() {
        return new ArrayList<>(open.keySet());
    }
}
