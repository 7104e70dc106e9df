/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.PartitionValues;
import dev.sluice.flink.store.ReadException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsHandleExecutionAttemptSourceEvent;
import org.apache.flink.table.connector.source.DynamicFilteringData;
import org.apache.flink.table.connector.source.DynamicFilteringEvent;
import org.apache.paimon.table.source.Split;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the splits of a read that ends, one for each request of a reader, in any order. Everything happens on the
 * coordinator's thread except the planning itself.
 */
public final class BoundedEnumerator
        implements SplitEnumerator<PaimonSplit, EnumeratorState>, SupportsHandleExecutionAttemptSourceEvent {

    private static final Logger LOG = LoggerFactory.getLogger(BoundedEnumerator.class);

    /** A store that cannot be read for a moment should not fail a job. */
    private static final int MORE_TRIES = 2;

    private final SplitEnumeratorContext<PaimonSplit> context;
    private final Callable<List<Split>> plan;
    private final PartitionValues partitionValues;
    private final Deque<PaimonSplit> waiting;
    private final SplitRequests requests = new SplitRequests();
    private boolean planned;
    private int failures;
    private @Nullable DynamicFilteringData filtering;

    private BoundedEnumerator(
            SplitEnumeratorContext<PaimonSplit> context,
            Callable<List<Split>> plan,
            PartitionValues partitionValues,
            EnumeratorState state) {
        this.context = context;
        this.plan = plan;
        this.partitionValues = partitionValues;
        this.waiting = new ArrayDeque<>(state.waiting());
        this.planned = state.complete();
    }

    /**
     * @param plan plans the whole read; called until it has succeeded once, on a thread that may wait
     * @param partitionValues what a filter that comes while the job runs looks at
     */
    public static BoundedEnumerator fresh(
            SplitEnumeratorContext<PaimonSplit> context, Callable<List<Split>> plan, PartitionValues partitionValues) {
        return new BoundedEnumerator(context, plan, partitionValues, EnumeratorState.NEW);
    }

    /** @param state what an earlier enumerator of the same read remembered */
    public static BoundedEnumerator restored(
            SplitEnumeratorContext<PaimonSplit> context,
            Callable<List<Split>> plan,
            PartitionValues partitionValues,
            EnumeratorState state) {
        return new BoundedEnumerator(context, plan, partitionValues, state);
    }

    @Override
    public void start() {
        if (!planned) {
            context.callAsync(plan, this::planned);
        }
    }

    private void planned(@Nullable List<Split> splits, @Nullable Throwable failure) {
        if (failure instanceof ReadException read && read.mayPass() && failures < MORE_TRIES) {
            failures++;
            LOG.warn("Planning the read failed, try {} of {}", failures, MORE_TRIES + 1, failure);
            context.callAsync(plan, this::planned);
            return;
        }
        if (failure != null || splits == null) {
            throw Failures.of(failure);
        }
        for (int i = 0; i < splits.size(); i++) {
            waiting.add(new PaimonSplit("bounded-" + i, splits.get(i), 0));
        }
        planned = true;
        leaveOut();
        answer();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        requests.add(subtask);
        answer();
    }

    private void answer() {
        if (!planned) {
            return;
        }
        for (int subtask : requests.readers()) {
            if (!context.registeredReaders().containsKey(subtask)) {
                requests.forget(subtask);
                continue;
            }
            PaimonSplit next = waiting.poll();
            if (next == null) {
                context.signalNoMoreSplits(subtask);
                requests.forget(subtask);
            } else {
                context.assignSplit(next, subtask);
                requests.answered(subtask);
            }
        }
        if (!waiting.isEmpty() && !requests.readers().isEmpty()) {
            answer();
        }
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        // What readers tell of the splits they hold matters only to a read that goes on.
        if (event instanceof DynamicFilteringEvent filter) {
            filtering = filter.getData();
            leaveOut();
        }
    }

    /** Splits of partitions that the other side of a join has no rows for. */
    private void leaveOut() {
        DynamicFilteringData filter = filtering;
        if (filter != null && filter.isFiltering()) {
            waiting.removeIf(split -> partitionValues
                    .of(split.split())
                    .filter(values -> !filter.contains(values))
                    .isPresent());
        }
    }

    /** Flink fails a job with speculative execution whose readers send events to an enumerator without this. */
    @Override
    public void handleSourceEvent(int subtask, int attempt, SourceEvent event) {
        handleSourceEvent(subtask, event);
    }

    @Override
    public void addSplitsBack(List<PaimonSplit> splits, int subtask) {
        for (int i = splits.size() - 1; i >= 0; i--) {
            waiting.addFirst(splits.get(i));
        }
        requests.forget(subtask);
        answer();
    }

    @Override
    public void addReader(int subtask) {
        // Readers ask for splits themselves.
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        return new EnumeratorState(new ArrayList<>(waiting), null, planned, null);
    }

    @Override
    public void close() {
        // The coordinator's context owns the planning thread.
    }
}
