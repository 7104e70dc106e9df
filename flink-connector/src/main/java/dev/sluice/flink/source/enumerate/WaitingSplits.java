/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.PaimonSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The splits that no reader has, in the order of their snapshots. Ordered: all splits of a bucket go to the same
 * reader. Unordered: any reader takes the next one.
 */
final class WaitingSplits {

    private static final int ANY_READER = 0;

    private final boolean ordered;
    private final int readers;
    private final Map<Integer, Deque<PaimonSplit>> queues = new HashMap<>();

    /** Buckets that a reader was found reading after a restore; they stay with it. */
    private final Map<Integer, Integer> pinned = new HashMap<>();

    private int size;

    WaitingSplits(boolean ordered, int readers) {
        this.ordered = ordered;
        this.readers = readers;
    }

    void add(PaimonSplit split) {
        queue(split).addLast(split);
        size++;
    }

    /** @param splits in the order they were handed out */
    void addBack(List<PaimonSplit> splits) {
        for (int i = splits.size() - 1; i >= 0; i--) {
            queue(splits.get(i)).addFirst(splits.get(i));
            size++;
        }
    }

    private Deque<PaimonSplit> queue(PaimonSplit split) {
        int owner = ordered ? owner(InFlight.of(split).bucket()) : ANY_READER;
        return queues.computeIfAbsent(owner, reader -> new ArrayDeque<>());
    }

    private int owner(int bucket) {
        return pinned.getOrDefault(bucket, Math.floorMod(bucket, readers));
    }

    /** Splits of the bucket that are waiting move along; their order stays. */
    void pin(int bucket, int reader) {
        if (!ordered || owner(bucket) == reader) {
            return;
        }
        List<PaimonSplit> all = toList();
        pinned.put(bucket, reader);
        queues.clear();
        size = 0;
        all.forEach(this::add);
    }

    /** What {@link #next} would give. */
    @Nullable
    PaimonSplit peek(int reader) {
        Deque<PaimonSplit> queue = queues.get(ordered ? reader : ANY_READER);
        return queue == null ? null : queue.peek();
    }

    @Nullable
    PaimonSplit next(int reader) {
        Deque<PaimonSplit> queue = queues.get(ordered ? reader : ANY_READER);
        PaimonSplit split = queue == null ? null : queue.poll();
        if (split != null) {
            size--;
        }
        return split;
    }

    int size() {
        return size;
    }

    List<PaimonSplit> toList() {
        List<PaimonSplit> all = new ArrayList<>(size);
        queues.values().forEach(all::addAll);
        return all;
    }
}
