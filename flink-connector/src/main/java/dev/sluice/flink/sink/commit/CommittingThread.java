/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.CommitSummary;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits in the order it is told to, one after another, on a thread of its own, so that a slow commit delays neither
 * barriers nor watermarks. What piles up meanwhile is given to the committer in one go. All methods are called by the
 * task's thread.
 */
final class CommittingThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CommittingThread.class);
    /** A commit that has begun is let come to its end for this long when the task is closed. */
    private static final long GRACE_MILLIS = 5_000;

    private final String table;
    private final Committer committer;
    private final CommitterMetrics metrics;
    private final Consumer<List<PendingCommit>> onCommit;
    private final Consumer<Exception> onFailure;
    private final ExecutorService executor;

    // Guarded by this.
    private final ArrayDeque<PendingCommit> waiting = new ArrayDeque<>();
    private int inCommit;
    private long committedUpTo = Long.MIN_VALUE;
    private @Nullable Exception failure;
    private boolean closed;

    /**
     * @param table for messages
     * @param committer used by the new thread only, until {@link #close} closes it
     * @param userCode what the commits load classes with
     * @param onCommit told by the new thread of commits, before they count as done; returns at once and does not fail
     * @param onFailure told by the new thread, once, of the commit that failed; none is tried after it
     */
    CommittingThread(
            String table,
            Committer committer,
            ClassLoader userCode,
            CommitterMetrics metrics,
            Consumer<List<PendingCommit>> onCommit,
            Consumer<Exception> onFailure) {
        this.table = table;
        this.committer = committer;
        this.metrics = metrics;
        this.onCommit = onCommit;
        this.onFailure = onFailure;
        this.executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "Committer of " + table);
            thread.setContextClassLoader(userCode);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs something on the committing thread, after the commits handed over before, and waits for it. */
    <T> T call(Callable<T> work) throws Exception {
        try {
            return executor.submit(work).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Runs something on the committing thread once the commits handed over before are made, and does not wait for it. */
    void execute(Runnable work) {
        executor.execute(() -> {
            if (!hasFailed()) {
                work.run();
            }
        });
    }

    private synchronized boolean hasFailed() {
        return failure != null;
    }

    /**
     * Returns at once.
     *
     * @param commits in ascending order of checkpoint ids, above all those handed over before
     */
    synchronized void commit(List<PendingCommit> commits) {
        if (!commits.isEmpty()) {
            waiting.addAll(commits);
            metrics.waiting(waiting.size() + inCommit);
            executor.execute(this::commitWaiting);
        }
    }

    private void commitWaiting() {
        List<PendingCommit> now = takeWaiting();
        if (now.isEmpty()) {
            return;
        }
        int committables = now.stream().mapToInt(one -> one.messages().size()).sum();
        try {
            long started = System.nanoTime();
            CommitSummary summary = committer.commit(now);
            metrics.committed(committables, summary, System.nanoTime() - started);
            onCommit.accept(now);
            ended(now.get(now.size() - 1).checkpointId(), null);
        } catch (Exception | Error e) {
            Exception failed = e instanceof Exception exception
                    ? exception
                    : new IllegalStateException("The committer of table " + table + " broke down: " + e, e);
            metrics.failed(committables);
            ended(Long.MIN_VALUE, failed);
            onFailure.accept(failed);
        }
    }

    private synchronized List<PendingCommit> takeWaiting() {
        List<PendingCommit> now = closed || failure != null ? List.of() : new ArrayList<>(waiting);
        waiting.clear();
        inCommit = now.size();
        return now;
    }

    private synchronized void ended(long upTo, @Nullable Exception failed) {
        committedUpTo = Math.max(committedUpTo, upTo);
        failure = failed;
        inCommit = 0;
        metrics.waiting(waiting.size());
        notifyAll();
    }

    /** The newest checkpoint that is known to be committed. */
    synchronized long committedUpTo() {
        return committedUpTo;
    }

    /** @throws Exception of the commit that failed, if one has */
    synchronized void checkFailure() throws Exception {
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Waits until no more than so many commits are left to be done.
     *
     * @throws Exception of the commit that failed, if one has
     */
    synchronized void awaitAtMost(int commits) throws Exception {
        while (failure == null && waiting.size() + inCommit > commits) {
            wait();
        }
        checkFailure();
    }

    /**
     * Begins no other commit and waits for the one in progress: the task's next attempt must not look for its snapshot
     * while it is still being made. So there is no limit, other than Flink's for a task that does not end when cancelled;
     * after some seconds the commit is interrupted.
     */
    @Override
    public void close() throws Exception {
        synchronized (this) {
            closed = true;
        }
        executor.shutdown();
        boolean interrupted = false;
        long patience = GRACE_MILLIS;
        while (true) {
            try {
                if (executor.awaitTermination(patience, TimeUnit.MILLISECONDS)) {
                    break;
                }
                LOG.warn("A commit to table {} is still in progress while its task ends; it is interrupted", table);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            executor.shutdownNow();
        }
        try {
            committer.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
