/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SharedViewsTest {

    private final SharedViews<Closes> views = new SharedViews<>(view -> !view.failed);
    private final AtomicInteger opened = new AtomicInteger();

    private static final class Closes implements AutoCloseable {
        private int closed;
        private boolean failed;

        @Override
        public void close() {
            closed++;
        }
    }

    private Closes open() {
        opened.incrementAndGet();
        return new Closes();
    }

    @Test
    void theFirstOpensAndTheLastCloses() throws Exception {
        var first = views.acquire("key", this::open);
        var second = views.acquire("key", this::open);
        var other = views.acquire("another key", this::open);
        assertThat(second.view()).isSameAs(first.view());
        assertThat(other.view()).isNotSameAs(first.view());
        assertThat(opened).hasValue(2);
        first.close();
        first.close();
        assertThat(second.view().closed).isZero();
        second.close();
        assertThat(second.view().closed).isEqualTo(1);
        assertThat(views.count()).isEqualTo(1);
        other.close();
        assertThat(views.count()).isZero();
        var again = views.acquire("key", this::open);
        assertThat(again.view()).isNotSameAs(first.view());
        again.close();
    }

    @Test
    void nobodyJoinsTheUsersOfAViewThatHasFailed() throws Exception {
        var first = views.acquire("key", this::open);
        first.view().failed = true;
        var second = views.acquire("key", this::open);
        assertThat(second.view()).isNotSameAs(first.view());
        assertThat(first.view().closed).isZero();
        first.close();
        assertThat(first.view().closed).isEqualTo(1);
        var third = views.acquire("key", this::open);
        assertThat(third.view()).isSameAs(second.view());
        second.close();
        third.close();
        assertThat(second.view().closed).isEqualTo(1);
        assertThat(views.count()).isZero();
    }

    @Test
    void whoWaitedForAnOpeningThatFailsOpensItself() throws Exception {
        CountDownLatch inOpening = new CountDownLatch(1);
        CountDownLatch fail = new CountDownLatch(1);
        CompletableFuture<Void> failing =
                CompletableFuture.runAsync(() -> assertThatThrownBy(() -> views.acquire("key", () -> {
                            inOpening.countDown();
                            await(fail);
                            throw new IOException("cancelled");
                        }))
                        .hasMessage("cancelled"));
        await(inOpening);
        CompletableFuture<SharedViews<Closes>.Lease> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return views.acquire("key", this::open);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        fail.countDown();
        failing.get();
        var lease = waiting.get();
        assertThat(opened).hasValue(1);
        lease.close();
        assertThat(lease.view().closed).isEqualTo(1);
        assertThat(views.count()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
