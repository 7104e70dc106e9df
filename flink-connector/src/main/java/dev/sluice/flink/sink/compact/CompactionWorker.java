/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.compact;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.SmallFileRewriter;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges small files on a thread of its own and sends what is done ahead of every checkpoint barrier. A barrier never waits
 * for a merge; what is not done by then goes with a later one. All methods are called by the task's thread but {@link
 * #merge}. Keeps no state: what a failure loses is planned again.
 */
final class CompactionWorker extends AbstractStreamOperator<Committable>
        implements OneInputStreamOperator<byte[], Committable>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CompactionWorker.class);

    private final StoreTable table;
    private final String commitUser;
    private final boolean streaming;

    /** In the order in which the thread works them off. */
    private final transient Deque<Future<Optional<CommitMessage>>> merges = new ArrayDeque<>();

    private transient @Nullable SmallFileRewriter rewriter;
    private transient @Nullable ExecutorService thread;
    private transient @Nullable Counter done;
    private transient @Nullable Counter failed;
    private long lastBarrier;

    CompactionWorker(
            StreamOperatorParameters<Committable> parameters, StoreTable table, String commitUser, boolean streaming) {
        super(parameters);
        this.table = table;
        this.commitUser = commitUser;
        this.streaming = streaming;
    }

    @Override
    public void open() throws Exception {
        super.open();
        rewriter = new SmallFileRewriter(table, commitUser);
        thread = Executors.newSingleThreadExecutor(new ExecutorThreadFactory("compaction-" + table.name()));
        done = getMetricGroup().counter("compactionsCompleted");
        failed = getMetricGroup().counter("compactionsFailed");
        getMetricGroup().gauge("compactionsWaiting", merges::size);
    }

    @Override
    public void processElement(StreamRecord<byte[]> element) {
        SmallFileRewriter files = rewriter;
        if (thread != null && files != null) {
            byte[] task = element.getValue();
            merges.add(thread.submit(() -> merge(files, task)));
        }
    }

    /** The files stay as they are if they cannot be merged: no row is lost, and no job should end for it. */
    private Optional<CommitMessage> merge(SmallFileRewriter files, byte[] task) throws InterruptedException {
        try {
            return Optional.of(files.rewrite(task));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.warn(
                    "Small files of table {} are not merged now; the rows are not concerned. They will be after the"
                            + " job's next start, or by a compaction job",
                    table,
                    e);
            return Optional.empty();
        }
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        List<CommitMessage> results = new ArrayList<>();
        while (!merges.isEmpty() && merges.peek().isDone()) {
            take(merges.remove(), results);
        }
        send(checkpointId, results);
        lastBarrier = checkpointId;
    }

    /** The last results belong to the checkpoint after the end of the input, which no row waits for. */
    @Override
    public void endInput() throws Exception {
        List<CommitMessage> results = new ArrayList<>();
        while (!merges.isEmpty()) {
            take(merges.peek(), results);
            merges.remove();
        }
        send(streaming ? lastBarrier + 1 : PendingCommit.END_OF_BATCH, results);
    }

    private void take(Future<Optional<CommitMessage>> merge, List<CommitMessage> results) throws Exception {
        Optional<CommitMessage> result = merge.get();
        result.ifPresent(results::add);
        Counter counter = result.isPresent() ? done : failed;
        if (counter != null) {
            counter.inc();
        }
    }

    private void send(long checkpointId, List<CommitMessage> results) {
        if (!results.isEmpty()) {
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
            output.collect(new StreamRecord<>(new Committable(checkpointId, subtask, subtasks, false, results)));
        }
    }

    /** Nothing may write any more when the next attempt begins; results that were not sent are of no use to it. */
    @Override
    public void close() throws Exception {
        try (SmallFileRewriter files = rewriter) {
            if (thread != null && files != null) {
                thread.shutdownNow();
                while (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                    LOG.warn("A merge of small files of table {} has not ended yet", table);
                }
                for (Future<Optional<CommitMessage>> merge : merges) {
                    discard(files, merge);
                }
            }
        } finally {
            super.close();
        }
    }

    private void discard(SmallFileRewriter files, Future<Optional<CommitMessage>> merge) throws Exception {
        if (!merge.isDone()) {
            return;
        }
        try {
            Optional<CommitMessage> result = merge.get();
            if (result.isPresent()) {
                files.discard(result.get());
            }
        } catch (ExecutionException e) {
            LOG.debug("A merge of small files of table {} was interrupted", table, e);
        }
    }
}
