/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.PendingCommit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * Committables on their way to a snapshot. They are collected by checkpoint, sealed when the barrier of that checkpoint or
 * of a later one comes, and leave once committed. Used by the committer's task thread only.
 */
final class PendingCommits {

    private final NavigableMap<Long, List<CommitMessage>> open = new TreeMap<>();
    private final NavigableMap<Long, PendingCommit> sealed = new TreeMap<>();
    private final BitSet finishedWriters = new BitSet();
    private int writers;
    private long takenUpTo = Long.MIN_VALUE;

    void add(Committable committable) {
        if (committable.last()) {
            writers = committable.writers();
            finishedWriters.set(committable.writer());
        }
        if (sealed.containsKey(committable.checkpointId())) {
            throw new IllegalStateException("Writer " + committable.writer() + " sent files for checkpoint "
                    + committable.checkpointId() + " after that checkpoint's barrier.");
        }
        if (!committable.messages().isEmpty()) {
            open.computeIfAbsent(committable.checkpointId(), id -> new ArrayList<>())
                    .addAll(committable.messages());
        }
    }

    /**
     * Closes all checkpoints up to one whose barrier has come from every writer. Committables of later ones, which come
     * early in at-least-once mode, stay out: their rows will be read again after a failure.
     *
     * @param watermark event time in milliseconds at the barrier, or null
     * @param evenIfEmpty whether the checkpoint gets a commit without files too
     * @return everything not committed yet, in ascending order: the state of this checkpoint
     */
    List<PendingCommit> seal(long checkpointId, @Nullable Long watermark, boolean evenIfEmpty) {
        NavigableMap<Long, List<CommitMessage>> due = open.headMap(checkpointId, true);
        for (Map.Entry<Long, List<CommitMessage>> entry : due.entrySet()) {
            sealed.put(entry.getKey(), new PendingCommit(entry.getKey(), watermark, entry.getValue()));
        }
        due.clear();
        if (evenIfEmpty && !sealed.containsKey(checkpointId)) {
            sealed.put(checkpointId, new PendingCommit(checkpointId, watermark, List.of()));
        }
        return List.copyOf(sealed.values());
    }

    /**
     * The sealed commits up to a completed checkpoint that have not been taken yet, in ascending order. They stay part of
     * the state until {@link #committed}.
     */
    List<PendingCommit> takeUpTo(long checkpointId) {
        if (checkpointId <= takenUpTo) {
            return List.of();
        }
        List<PendingCommit> due =
                List.copyOf(sealed.subMap(takenUpTo, false, checkpointId, true).values());
        if (!due.isEmpty()) {
            takenUpTo = due.get(due.size() - 1).checkpointId();
        }
        return due;
    }

    void committed(long checkpointId) {
        sealed.headMap(checkpointId, true).clear();
    }

    /**
     * The one commit of a batch job.
     *
     * @throws IllegalStateException if a writer has not reported the end of its input: a part must not pass as the whole
     */
    PendingCommit whole(@Nullable Long watermark) {
        int finished = finishedWriters.cardinality();
        if (writers == 0 || finished != writers) {
            throw new IllegalStateException("Only " + finished + " of " + (writers == 0 ? "the" : writers)
                    + " writers have reported the end of their input; nothing is committed. Run the job again.");
        }
        List<CommitMessage> messages = new ArrayList<>();
        open.values().forEach(messages::addAll);
        return new PendingCommit(PendingCommit.END_OF_BATCH, watermark, messages);
    }
}
