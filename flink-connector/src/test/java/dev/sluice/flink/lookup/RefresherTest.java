/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class RefresherTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private long now;

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
        assertThat(refresher.works()).isTrue();
        assertThat(refresher.attempt()).isNull();
        assertThat(refresher.works()).isFalse();
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

    @Test
    void isNotRefreshedInAPauseAndGoesOnAfterIt() {
        RefreshRules rules = new RefreshRules(
                SECOND,
                null,
                RefreshPauses.parse("2024-01-01 10:00->2024-01-01 11:00, 2024-01-01 10:30->2024-01-01 12:00"));
        Refresher paused = new Refresher(view, "c.d.t", rules, clockAt("2024-01-01T10:45:00Z"), () -> now);
        assertThat(paused.attempt()).isEqualTo(Duration.ofMinutes(75).plusMillis(1));
        assertThat(view.refreshes.get()).isZero();
        Refresher after = new Refresher(view, "c.d.t", rules, clockAt("2024-01-01T12:00:01Z"), () -> now);
        assertThat(after.attempt()).isEqualTo(SECOND);
        assertThat(view.refreshes.get()).isEqualTo(1);
    }

    @Test
    void probesFailWhileARefreshHangs() throws Exception {
        Refresher hanging = new Refresher(view, "c.d.t", every(SECOND), clockAt("2024-01-01T00:00:00Z"), () -> now);
        RefreshWatch watch = hanging.watch();
        watch.begin();
        now += RefreshWatch.HANGS_AFTER.toNanos();
        assertThatCode(hanging::check).doesNotThrowAnyException();
        watch.progress();
        now += RefreshWatch.HANGS_AFTER.toNanos() + 1;
        assertThatThrownBy(hanging::check)
                .hasMessage(
                        "The refresh of table c.d.t for a lookup join has read nothing for more than 10 minutes. The"
                                + " job stops rather than join with old rows; check the table's storage.");
        watch.end(true);
        assertThatCode(hanging::check).doesNotThrowAnyException();
    }

    @Test
    void probesWaitOnceTheViewIsTooManySnapshotsBehind() throws Exception {
        RefreshRules rules = new RefreshRules(SECOND, 2, RefreshPauses.parse(null));
        Refresher bounded = new Refresher(view, "c.d.t", rules, clockAt("2024-01-01T00:00:00Z"), () -> now);
        RefreshWatch watch = bounded.watch();
        watch.found(7, 7_000);
        watch.followed(7, 7_000);
        watch.openGate();
        watch.found(9, 9_500);
        bounded.check();
        assertThat(watch.lagSnapshots()).isEqualTo(2);
        assertThat(watch.lagSeconds()).isEqualTo(2);
        watch.found(10, 10_000);
        CompletableFuture<Void> probe = CompletableFuture.runAsync(() -> {
            try {
                bounded.check();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(probe).isNotDone();
        watch.followed(10, 10_000);
        watch.end(true);
        probe.get();
        assertThat(watch.lagSnapshots()).isZero();
        assertThat(watch.lagSeconds()).isZero();
    }

    @Test
    void tellsHowLongTheLoadAndTheLastRefreshTook() throws IOException {
        Refresher timed = new Refresher(view, "c.d.t", every(SECOND), clockAt("2024-01-01T00:00:00Z"), () -> now);
        view.fixed = true;
        view.duringRefresh = () -> now += 30_000_000;
        timed.start();
        assertThat(timed.lastMillis()).isEqualTo(30);
        view.duringRefresh = () -> now += 4_000_000;
        timed.attempt();
        assertThat(timed.lastMillis()).isEqualTo(4);
    }

    private static Clock clockAt(String instant) {
        return Clock.fixed(Instant.parse(instant), ZoneOffset.UTC);
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
        private Runnable duringRefresh = () -> {};
        private final AtomicInteger refreshes = new AtomicInteger();

        @Override
        public void refresh(RefreshWatch watch) {
            refreshes.incrementAndGet();
            duringRefresh.run();
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
