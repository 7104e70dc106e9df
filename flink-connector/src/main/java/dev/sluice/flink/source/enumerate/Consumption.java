/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.InFlight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Which snapshots the readers still need, now and as of each checkpoint that is under way. */
final class Consumption {

    /** By reader, then by split id: the split's snapshot. */
    private final Map<Integer, Map<String, Long>> reading = new HashMap<>();

    private final NavigableMap<Long, Long> oldestByCheckpoint = new TreeMap<>();

    void started(int reader, List<InFlight> held) {
        Map<String, Long> splits = new HashMap<>();
        held.forEach(split -> splits.put(split.splitId(), split.snapshotId()));
        reading.put(reader, splits);
    }

    void assigned(int reader, InFlight split) {
        reading.computeIfAbsent(reader, subtask -> new HashMap<>()).put(split.splitId(), split.snapshotId());
    }

    void finished(int reader, List<String> splitIds) {
        Map<String, Long> splits = reading.get(reader);
        if (splits != null) {
            splitIds.forEach(splits::remove);
        }
    }

    void lost(int reader) {
        reading.remove(reader);
    }

    /** @param oldest what is needed apart from what the readers hold */
    void checkpoint(long checkpointId, long oldest) {
        long needed = oldest;
        for (Map<String, Long> splits : reading.values()) {
            for (long snapshot : splits.values()) {
                needed = Math.min(needed, snapshot);
            }
        }
        oldestByCheckpoint.put(checkpointId, needed);
    }

    /** The oldest snapshot that a job restored from this checkpoint needs, if it is known. */
    OptionalLong completed(long checkpointId) {
        Long oldest = oldestByCheckpoint.get(checkpointId);
        oldestByCheckpoint.headMap(checkpointId, true).clear();
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest);
    }
}
