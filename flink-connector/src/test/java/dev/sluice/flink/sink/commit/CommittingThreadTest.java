/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.store.CommitSummary;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CommittingThreadTest {

    private final SlowCommitter committer = new SlowCommitter();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final CommittingThread thread = new CommittingThread(
            "c.db.t", committer, getClass().getClassLoader(), new CommitterMetrics(), committed -> {}, failure::set);

    /** Commits as many times as the test lets it. */
    private static final class SlowCommitter implements Committer {

        private final Semaphore allowed = new Semaphore(0);
        private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> done = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean fails;
        private volatile boolean closed;

        @Override
        public boolean wantsEmptySnapshots() {
            return false;
        }

        @Override
        public CommitSummary commit(List<PendingCommit> pending) {
            pending.forEach(one -> begun.add(one.checkpointId()));
            allowed.acquireUninterruptibly();
            if (fails) {
                throw new IllegalStateException("the storage is full");
            }
            pending.forEach(one -> done.add(one.checkpointId()));
            return new CommitSummary(1, pending.size(), 0, 0, 0, 0);
        }

        @Override
        public CommitSummary recover(long checkpointId, List<PendingCommit> pending) {
            return CommitSummary.NOTHING;
        }

        @Override
        public void checkpointCompleted(@Nullable Long watermark, boolean inputEnded) {}

        @Override
        public List<String> unmarkedPartitions() {
            return List.of();
        }

        @Override
        public void restoreUnmarkedPartitions(List<String> partitions) {}

        @Override
        public void tagSavepoint(long checkpointId) {}

        @Override
        public void untagSavepoint(long checkpointId) {}

        @Override
        public void finish() {}

        @Override
        public void close() {
            closed = true;
        }
    }

    private static PendingCommit of(long checkpointId) {
        return new PendingCommit(checkpointId, null, List.of(Messages.adding(0, "f" + checkpointId)));
    }

    @AfterEach
    void stop() throws Exception {
        committer.allowed.release(100);
        thread.close();
    }

    @Test
    void handingOverDoesNotWaitAndTheOrderIsKept() throws Exception {
        thread.commit(List.of(of(1)));
        await().until(() -> committer.begun.equals(List.of(1L)));
        thread.commit(List.of(of(2)));
        thread.commit(List.of(of(3), of(4)));
        assertThat(committer.done).isEmpty();
        assertThat(thread.committedUpTo()).isEqualTo(Long.MIN_VALUE);

        committer.allowed.release(2);
        thread.awaitAtMost(0);
        assertThat(committer.done).containsExactly(1L, 2L, 3L, 4L);
        assertThat(thread.committedUpTo()).isEqualTo(4);
    }

    @Test
    void tooManyWaitingCommitsHoldTheCallerUp() throws Exception {
        thread.commit(List.of(of(1)));
        thread.commit(List.of(of(2)));
        CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
            try {
                thread.awaitAtMost(1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(caller).isNotDone();
        committer.allowed.release(2);
        await().until(caller::isDone);
        assertThat(committer.done).contains(1L);
    }

    @Test
    void afterAFailureNothingIsCommittedAndEveryCallSaysWhy() throws Exception {
        committer.fails = true;
        thread.commit(List.of(of(1)));
        thread.commit(List.of(of(2)));
        committer.allowed.release(2);
        assertThatThrownBy(() -> thread.awaitAtMost(0)).hasMessage("the storage is full");
        assertThatThrownBy(thread::checkFailure).hasMessage("the storage is full");
        await().untilAsserted(() -> assertThat(failure.get()).hasMessage("the storage is full"));
        thread.commit(List.of(of(3)));
        assertThat(thread.call(() -> true)).isTrue();
        assertThat(committer.begun).doesNotContain(3L);
    }

    private Thread closing(CompletableFuture<Boolean> ended) {
        return new Thread(() -> {
            try {
                thread.close();
                ended.complete(Thread.currentThread().isInterrupted());
            } catch (Exception e) {
                ended.completeExceptionally(e);
            }
        });
    }

    @Test
    void closingWaitsForTheCommitInProgressAndBeginsNoOther() throws Exception {
        thread.commit(List.of(of(1)));
        await().until(() -> committer.begun.equals(List.of(1L)));
        thread.commit(List.of(of(2)));
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread task = closing(ended);
        task.start();
        // It has said that it closes, and waits.
        await().until(() -> task.getState() == Thread.State.TIMED_WAITING);
        assertThat(committer.closed).isFalse();
        committer.allowed.release(1);
        await().atMost(Duration.ofSeconds(30)).until(ended::isDone);
        assertThat(committer.done).containsExactly(1L);
        assertThat(committer.closed).isTrue();
    }

    @Test
    void aThreadThatIsInterruptedWhileClosingStillWaits() throws Exception {
        thread.commit(List.of(of(1)));
        await().until(() -> committer.begun.equals(List.of(1L)));
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread task = closing(ended);
        task.start();
        task.interrupt();
        assertThat(ended).isNotDone();
        committer.allowed.release(1);
        await().atMost(Duration.ofSeconds(30)).until(ended::isDone);
        assertThat(ended.get()).isTrue();
        assertThat(committer.done).containsExactly(1L);
    }
}
