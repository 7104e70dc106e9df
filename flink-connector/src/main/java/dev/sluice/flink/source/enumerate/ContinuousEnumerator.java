/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.ReaderStarted;
import dev.sluice.flink.source.split.SplitsFinished;
import dev.sluice.flink.store.SnapshotFollower;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/**
 * Follows a table's snapshots and hands their splits out, each for one request of a reader. Looks at the table away
 * from the coordinator's thread; all else happens on it. Snapshots are not planned far ahead of the readers.
 */
public final class ContinuousEnumerator implements SplitEnumerator<PaimonSplit, EnumeratorState> {

    /** Planning rests while this many splits for each reader wait: more would only fill memory and checkpoints. */
    static final int WAITING_SPLITS_PER_READER = 10;

    /** Looking at rest costs one request to the store, so a long discovery interval need not delay new data. */
    static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final SplitEnumeratorContext<PaimonSplit> context;
    private final Follower follower;
    private final Duration discoveryInterval;
    private final WaitingSplits waiting;
    private final SplitRequests requests = new SplitRequests();
    private final Consumption consumption = new Consumption();

    /** Readers whose {@link ReaderStarted} has come; before all of them nothing is handed out in order. */
    private final Set<Integer> started = new HashSet<>();

    private final boolean ordered;
    private @Nullable Long position;
    private boolean complete;
    private boolean looking;

    private ContinuousEnumerator(
            SplitEnumeratorContext<PaimonSplit> context,
            Follower follower,
            boolean ordered,
            Duration discoveryInterval,
            EnumeratorState state) {
        this.context = context;
        this.follower = follower;
        this.ordered = ordered;
        this.discoveryInterval = discoveryInterval;
        this.waiting = new WaitingSplits(ordered, context.currentParallelism());
        this.position = state.position();
        this.complete = state.complete();
        state.waiting().forEach(waiting::add);
    }

    /** Looks at the table; called on a thread that may wait. */
    public interface Follower {

        SnapshotFollower.Step next();

        /** See {@link SnapshotFollower#keepFrom}. */
        void keepFrom(long position);
    }

    /** @param ordered whether the splits of one bucket must be read one after the other, in snapshot order */
    public static ContinuousEnumerator fresh(
            SplitEnumeratorContext<PaimonSplit> context,
            Follower follower,
            boolean ordered,
            Duration discoveryInterval) {
        return new ContinuousEnumerator(context, follower, ordered, discoveryInterval, EnumeratorState.NEW);
    }

    /** @param follower set to go on from the state's position */
    public static ContinuousEnumerator restored(
            SplitEnumeratorContext<PaimonSplit> context,
            Follower follower,
            boolean ordered,
            Duration discoveryInterval,
            EnumeratorState state) {
        return new ContinuousEnumerator(context, follower, ordered, discoveryInterval, state);
    }

    @Override
    public void start() {
        long restMillis = Math.max(1, Math.min(discoveryInterval.toMillis(), LONGEST_REST.toMillis()));
        looking = true;
        context.callAsync(follower::next, this::looked);
        // A look that is due while one is under way is left out: runs of callAsync do not wait for one another.
        context.callAsync(() -> Boolean.TRUE, (tick, failure) -> look(), restMillis, restMillis);
    }

    private void look() {
        if (looking || complete || waiting.size() >= WAITING_SPLITS_PER_READER * context.currentParallelism()) {
            return;
        }
        looking = true;
        context.callAsync(follower::next, this::looked);
    }

    private void looked(SnapshotFollower.@Nullable Step step, @Nullable Throwable failure) {
        looking = false;
        if (failure != null || step == null) {
            throw Failures.of(failure);
        }
        if (step instanceof SnapshotFollower.Found found) {
            position = found.position();
            for (int i = 0; i < found.splits().size(); i++) {
                String id = found.position() + "-" + i;
                waiting.add(new PaimonSplit(id, found.splits().get(i), 0));
            }
            answer();
            look();
        } else if (step instanceof SnapshotFollower.Waiting rest) {
            position = rest.position();
        } else {
            complete = true;
            answer();
        }
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        requests.add(subtask);
        answer();
    }

    private void answer() {
        if (ordered && started.size() < context.currentParallelism()) {
            return;
        }
        boolean assigned = false;
        for (int subtask : requests.readers()) {
            if (!context.registeredReaders().containsKey(subtask)) {
                requests.forget(subtask);
                continue;
            }
            PaimonSplit next = waiting.next(subtask);
            if (next != null) {
                consumption.assigned(subtask, InFlight.of(next));
                context.assignSplit(next, subtask);
                requests.answered(subtask);
                assigned = true;
            } else if (complete) {
                context.signalNoMoreSplits(subtask);
                requests.forget(subtask);
            }
        }
        if (assigned) {
            answer();
            look();
        }
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event instanceof ReaderStarted begun) {
            requests.forget(subtask);
            consumption.started(subtask, begun.held());
            begun.held().forEach(split -> waiting.pin(split.bucket(), subtask));
            started.add(subtask);
            answer();
        } else if (event instanceof SplitsFinished finished) {
            consumption.finished(subtask, finished.splitIds());
        }
    }

    @Override
    public void addSplitsBack(List<PaimonSplit> splits, int subtask) {
        waiting.addBack(splits);
        requests.forget(subtask);
        consumption.lost(subtask);
        started.remove(subtask);
    }

    @Override
    public void addReader(int subtask) {
        // Readers ask for splits themselves.
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        Long next = position;
        if (next != null && started.size() == context.currentParallelism()) {
            consumption.checkpoint(checkpointId, next, waiting.toList());
        }
        return new EnumeratorState(waiting.toList(), position, complete);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        OptionalLong oldest = consumption.completed(checkpointId);
        if (oldest.isPresent()) {
            context.callAsync(
                    () -> {
                        follower.keepFrom(oldest.getAsLong());
                        return Boolean.TRUE;
                    },
                    (done, failure) -> {
                        if (failure != null) {
                            throw Failures.of(failure);
                        }
                    });
        }
    }

    @Override
    public void close() {
        // The coordinator's context owns the thread that looks at the table.
    }
}
