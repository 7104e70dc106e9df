/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.source.split.NothingToRead;
import dev.sluice.flink.source.split.PaimonSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** A coordinator whose other thread runs when the test says so. */
final class FakeContext implements SplitEnumeratorContext<PaimonSplit> {

    private final int parallelism;
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();
    private final Queue<Runnable> asked = new ArrayDeque<>();
    private final Map<Integer, List<String>> assigned = new HashMap<>();
    private Runnable tick = () -> {};

    static final long TICK_MILLIS = 1_000;

    /** The clock. */
    long millis;

    final Set<Integer> noMoreSplits = new TreeSet<>();

    /** The readers that were told that nothing is for them, each as often as it was. */
    final List<Integer> toldOfNothing = new ArrayList<>();

    FakeContext(int parallelism) {
        this.parallelism = parallelism;
        for (int i = 0; i < parallelism; i++) {
            readers.put(i, new ReaderInfo(i, "localhost"));
        }
    }

    /** Runs what was asked for so far, and what that asks for. */
    void runAsked() {
        for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
            next.run();
        }
    }

    int askedFor() {
        return asked.size();
    }

    /** Lets the interval of periodic calls pass once. */
    void tick() {
        millis += TICK_MILLIS;
        tick.run();
    }

    /** The splits that the reader was given since the last call. */
    List<String> takeAssigned(int subtask) {
        List<String> splits = assigned.remove(subtask);
        return splits == null ? List.of() : splits;
    }

    void unregister(int subtask) {
        readers.remove(subtask);
    }

    @Override
    public int currentParallelism() {
        return parallelism;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return readers;
    }

    @Override
    public void assignSplits(SplitsAssignment<PaimonSplit> assignment) {
        assignment
                .assignment()
                .forEach((subtask, splits) ->
                        splits.forEach(split -> assigned.computeIfAbsent(subtask, reader -> new ArrayList<>())
                                .add(split.splitId())));
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        noMoreSplits.add(subtask);
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        asked.add(() -> run(callable, handler));
    }

    @Override
    public <T> void callAsync(
            Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelayMillis, long periodMillis) {
        tick = () -> run(callable, handler);
    }

    private static <T> void run(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        T result;
        try {
            result = callable.call();
        } catch (Exception e) {
            handler.accept(null, e);
            return;
        }
        handler.accept(result, null);
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        runnable.run();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        assertThat(event).isInstanceOf(NothingToRead.class);
        toldOfNothing.add(subtask);
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        throw new AssertionError("The enumerators have no metrics yet.");
    }
}
