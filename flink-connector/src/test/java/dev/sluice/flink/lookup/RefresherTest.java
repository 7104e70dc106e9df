/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class RefresherTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final BrittleView view = new BrittleView();
    private final Refresher refresher = new Refresher(view, "c.d.t", every(SECOND));

    @Test
    void waitsLongerAfterEachFailureAndTheIntervalAfterSuccess() {
        view.failures = 5;
        assertThat(List.of(attempt(), attempt(), attempt(), attempt(), attempt()))
                .containsExactly(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10));
        assertThatCode(refresher::check).doesNotThrowAnyException();
        assertThat(attempt()).isEqualTo(SECOND);
    }

    @Test
    void failsEveryProbeAfterTheLastAttempt() {
        view.failures = Integer.MAX_VALUE;
        for (int i = 1; i < Refresher.ATTEMPTS; i++) {
            attempt();
        }
        assertThatCode(refresher::check).doesNotThrowAnyException();
        assertThat(refresher.attempt()).isNull();
        for (int probe = 0; probe < 2; probe++) {
            assertThatThrownBy(refresher::check)
                    .isInstanceOf(IOException.class)
                    .hasMessage("Refreshing table c.d.t for a lookup join failed 10 times in a row, the last time with:"
                            + " IOException: disk is gone. The job stops rather than join with old rows; check the"
                            + " table's storage and the memory of the task manager.");
        }
    }

    @Test
    void anErrorEndsItAtOnceAndIsNotLostInTheThread() {
        view.outOfMemory = true;
        assertThat(refresher.attempt()).isNull();
        assertThatThrownBy(refresher::check)
                .hasMessageStartingWith(
                        "Refreshing table c.d.t for a lookup join failed for good with: OutOfMemoryError: too many rows.");
    }

    @Test
    void successStartsTheCountAgain() {
        for (int round = 0; round < 3; round++) {
            view.failures = Refresher.ATTEMPTS - 1;
            for (int i = 0; i < Refresher.ATTEMPTS; i++) {
                attempt();
            }
        }
        assertThatCode(refresher::check).doesNotThrowAnyException();
    }

    @Test
    void loadingIsTriedThreeTimes() {
        view.failures = 3;
        assertThatThrownBy(refresher::start)
                .hasMessage(
                        "Loading table c.d.t for a lookup join failed 3 times, the last time with: IOException: disk"
                                + " is gone.");
        assertThat(view.refreshes.get()).isEqualTo(3);
    }

    @Test
    void refreshesOnItsOwnUntilClosed() throws IOException {
        Refresher quick = new Refresher(view, "c.d.followed", every(Duration.ofMillis(1)));
        quick.start();
        Awaitility.await().until(() -> view.refreshes.get() > 3);
        assertThat(refreshThreads("c.d.followed")).isEqualTo(1);
        quick.close();
        int refreshes = view.refreshes.get();
        // The executor counts as ended a moment before its thread is gone.
        Awaitility.await().until(() -> refreshThreads("c.d.followed") == 0);
        assertThat(view.refreshes.get()).isEqualTo(refreshes);
    }

    @Test
    void aFixedViewIsLoadedAndLeftAlone() throws IOException {
        view.fixed = true;
        Refresher once = new Refresher(view, "c.d.fixed", every(Duration.ofMillis(1)));
        once.start();
        assertThat(view.refreshes.get()).isEqualTo(1);
        assertThat(refreshThreads("c.d.fixed")).isZero();
        once.close();
    }

    private static RefreshRules every(Duration interval) {
        return new RefreshRules(interval, null, RefreshPauses.parse(null));
    }

    private static long refreshThreads(String table) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("lookup refresh " + table))
                .count();
    }

    private Duration attempt() {
        Duration wait = refresher.attempt();
        assertThat(wait).isNotNull();
        return wait;
    }

    /** Fails as often as told, then works. */
    private static final class BrittleView implements LookupView {

        private int failures;
        private boolean fixed;
        private boolean outOfMemory;
        private final AtomicInteger refreshes = new AtomicInteger();

        @Override
        public void refresh(RefreshWatch watch) {
            refreshes.incrementAndGet();
            if (outOfMemory) {
                throw new OutOfMemoryError("too many rows");
            }
            if (failures > 0) {
                failures--;
                throw new UncheckedIOException(new IOException("disk is gone"));
            }
        }

        @Override
        public Collection<RowData> get(BinaryRowData key) {
            return List.of();
        }

        @Override
        public Collection<RowData> getIfCached(BinaryRowData key) {
            return List.of();
        }

        @Override
        public ViewSize size() {
            return new ViewSize(0, 0);
        }

        @Override
        public boolean answersFromMemory() {
            return true;
        }

        @Override
        public boolean isFixed() {
            return fixed;
        }

        @Override
        public void close() {}
    }
}
