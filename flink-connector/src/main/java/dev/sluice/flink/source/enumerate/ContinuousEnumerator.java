/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.NothingToRead;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.ReaderStarted;
import dev.sluice.flink.source.split.SplitsFinished;
import dev.sluice.flink.store.ReadException;
import dev.sluice.flink.store.SnapshotFollower;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a table's snapshots and hands their splits out, each for one request of a reader. Looks at the table away
 * from the coordinator's thread; all else happens on it. Snapshots are not planned far ahead of the readers.
 */
public final class ContinuousEnumerator implements SplitEnumerator<PaimonSplit, EnumeratorState> {

    private static final Logger LOG = LoggerFactory.getLogger(ContinuousEnumerator.class);

    /** A store that cannot be listed for a moment must not fail a job that waits for data anyway. */
    static final int LOOKS_AFTER_FAILURE = 4;

    private final SplitEnumeratorContext<PaimonSplit> context;
    private final Follower follower;
    private final FollowRules rules;
    private final ReadPace pace;
    private final WaitingSplits waiting;
    private final SplitRequests requests = new SplitRequests();
    private final Consumption consumption = new Consumption();

    /** Readers whose {@link ReaderStarted} has come; before all of them nothing is handed out in order. */
    private final Set<Integer> started = new HashSet<>();

    /** Readers that have got a split since they started, or have been told that there is none for them. */
    private final Set<Integer> answered = new HashSet<>();

    private final boolean ordered;
    private @Nullable Long position;
    private @Nullable Long last;
    private boolean complete;
    private boolean looking;

    /** Whether the last look found that nothing is ahead. */
    private boolean caughtUp;

    private int failures;
    private int snapshotsSinceCheckpoint;

    private ContinuousEnumerator(
            SplitEnumeratorContext<PaimonSplit> context, Follower follower, FollowRules rules, EnumeratorState state) {
        this.context = context;
        this.follower = follower;
        this.ordered = rules.ordered();
        this.rules = rules;
        this.pace = new ReadPace(rules.settings().limits(), rules.settings().discoveryInterval(), rules.clock());
        this.waiting = new WaitingSplits(ordered, context.currentParallelism());
        this.position = state.position();
        this.complete = state.complete();
        this.last = state.last();
        state.waiting().forEach(this::await);
    }

    private void await(PaimonSplit split) {
        waiting.add(split);
        pace.planned(split);
    }

    /** Looks at the table; called on a thread that may wait. */
    public interface Follower {

        SnapshotFollower.Step next();

        /** The id of the table's latest snapshot, or null if it has none. */
        @Nullable
        Long latest();

        /** See {@link SnapshotFollower#keepFrom}. */
        void keepFrom(long position);
    }

    public static ContinuousEnumerator fresh(
            SplitEnumeratorContext<PaimonSplit> context, Follower follower, FollowRules rules) {
        return new ContinuousEnumerator(context, follower, rules, EnumeratorState.NEW);
    }

    /** @param follower set to go on from the state's position */
    public static ContinuousEnumerator restored(
            SplitEnumeratorContext<PaimonSplit> context, Follower follower, FollowRules rules, EnumeratorState state) {
        return new ContinuousEnumerator(context, follower, rules, state);
    }

    @Override
    public void start() {
        if (!complete) {
            lookNow();
        }
        // A look that is due while one is under way is left out: runs of callAsync do not wait for one another.
        context.callAsync(() -> Boolean.TRUE, (tick, failure) -> ticked(), pace.shortestRest(), pace.shortestRest());
    }

    private void ticked() {
        if (waiting.size() > 0) {
            answer();
        }
        look();
    }

    private void look() {
        int most = rules.settings().maxSnapshots();
        if (looking || complete || full() || !pace.lookIsDue() || (most > 0 && snapshotsSinceCheckpoint >= most)) {
            return;
        }
        lookNow();
    }

    private void lookNow() {
        looking = true;
        Long known = last;
        context.callAsync(() -> look(known), this::looked);
    }

    /** @param last the snapshot behind which the read ends, or null if it goes on */
    private record Look(@Nullable Long last, SnapshotFollower.Step step) {}

    private static final long NO_SNAPSHOT = 0;

    /** Before anything is planned, so that what is planned first is never beyond the end. */
    private Look look(@Nullable Long known) {
        if (known != null || !rules.endsWithPresent()) {
            return new Look(known, follower.next());
        }
        Long latest = follower.latest();
        return new Look(latest == null ? NO_SNAPSHOT : latest, follower.next());
    }

    private boolean full() {
        return waiting.size() >= rules.maxSplitsPerReader() * context.currentParallelism();
    }

    private void looked(@Nullable Look look, @Nullable Throwable failure) {
        looking = false;
        if (failure != null || look == null) {
            retry(failure);
            return;
        }
        failures = 0;
        last = look.last();
        SnapshotFollower.Step step = look.step();
        if (step instanceof SnapshotFollower.Found found && !beyondLast(found)) {
            // Where a read begins with changes to come, it finds its place first and nothing else.
            if (position != null || !found.splits().isEmpty()) {
                snapshotsSinceCheckpoint++;
            }
            position = found.position();
            caughtUp = false;
            for (int i = 0; i < found.splits().size(); i++) {
                String id = found.position() + "-" + i;
                await(new PaimonSplit(id, found.splits().get(i), 0));
            }
            pace.found();
            complete = last != null && found.position() > last;
            answer();
            look();
        } else if (step instanceof SnapshotFollower.Waiting rest && !beyondLast(rest)) {
            position = rest.position();
            caughtUp = true;
            pace.foundNothing();
            answer();
        } else {
            complete = true;
            answer();
        }
    }

    /** Splits of a snapshot behind the last one; what a read starts with is all that the table has. */
    private boolean beyondLast(SnapshotFollower.Found found) {
        return last != null && position != null && found.position() - 1 > last;
    }

    private boolean beyondLast(SnapshotFollower.Waiting rest) {
        Long next = rest.position();
        return last != null && (next == null || next > last);
    }

    private void retry(@Nullable Throwable failure) {
        if (failures == LOOKS_AFTER_FAILURE || !(failure instanceof ReadException read) || !read.mayPass()) {
            throw Failures.of(failure);
        }
        pace.failed(failures);
        failures++;
        LOG.warn("Looking for the next snapshot failed, try {} of {}", failures, LOOKS_AFTER_FAILURE + 1, failure);
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
        if (waiting.size() > 0 && !complete && !pace.mayHandOut(full())) {
            return;
        }
        boolean assigned = false;
        for (int subtask : requests.readers()) {
            if (!context.registeredReaders().containsKey(subtask)) {
                requests.forget(subtask);
                continue;
            }
            PaimonSplit next = waiting.peek(subtask);
            if (next != null && !pace.fits(next)) {
                break;
            }
            if (next != null) {
                waiting.next(subtask);
                pace.handedOut(next, waiting.size() > 0);
                consumption.assigned(subtask, InFlight.of(next));
                context.assignSplit(next, subtask);
                requests.answered(subtask);
                answered.add(subtask);
                assigned = true;
            } else if (complete) {
                context.signalNoMoreSplits(subtask);
                requests.forget(subtask);
            } else if (caughtUp && answered.add(subtask)) {
                context.sendEventToSourceReader(subtask, new NothingToRead());
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
            answered.remove(subtask);
            started.add(subtask);
            answer();
        } else if (event instanceof SplitsFinished finished) {
            consumption.finished(subtask, finished.splitIds());
        }
    }

    @Override
    public void addSplitsBack(List<PaimonSplit> splits, int subtask) {
        waiting.addBack(splits);
        splits.forEach(pace::planned);
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
        snapshotsSinceCheckpoint = 0;
        Long next = position;
        if (next != null && started.size() == context.currentParallelism()) {
            consumption.checkpoint(checkpointId, next, waiting.toList());
        }
        return new EnumeratorState(waiting.toList(), position, complete, last);
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
