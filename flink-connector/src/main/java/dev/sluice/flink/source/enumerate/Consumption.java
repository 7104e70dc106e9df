/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.SplitOrigin;
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

    /**
     * @param position the snapshot that is planned next
     * @param waiting splits that no reader has
     */
    void checkpoint(long checkpointId, long position, List<PaimonSplit> waiting) {
        long oldest = position;
        for (Map<String, Long> splits : reading.values()) {
            for (long snapshot : splits.values()) {
                oldest = older(oldest, snapshot);
            }
        }
        for (PaimonSplit split : waiting) {
            oldest = older(oldest, InFlight.of(split).snapshotId());
        }
        oldestByCheckpoint.put(checkpointId, oldest);
    }

    private static long older(long oldest, long snapshot) {
        return snapshot == SplitOrigin.NO_SNAPSHOT ? oldest : Math.min(oldest, snapshot);
    }

    /** The oldest snapshot that a job restored from this checkpoint needs, if it is known. */
    OptionalLong completed(long checkpointId) {
        Long oldest = oldestByCheckpoint.get(checkpointId);
        oldestByCheckpoint.headMap(checkpointId, true).clear();
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest);
    }
}
