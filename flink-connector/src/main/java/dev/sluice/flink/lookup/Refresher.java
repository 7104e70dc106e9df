/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.TableChangedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a view at the table's newest snapshot from a thread of its own. A refresh that fails is tried again, waiting
 * longer each time; after the last attempt, and while one hangs, every probe fails, so that a view is never stale without
 * anyone knowing.
 */
final class Refresher implements AutoCloseable {

    /** With the waits below, storage may be away for about a minute. */
    static final int ATTEMPTS = 10;

    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);
    private static final int ATTEMPTS_TO_LOAD = 3;
    private static final int SECONDS_TO_STOP = 5;

    private final LookupView view;
    private final String table;
    private final RefreshRules rules;
    private final Clock clock;
    private final LongSupplier nanoClock;
    private final RefreshWatch watch;
    private @Nullable ScheduledExecutorService thread;

    // Written by the refreshing thread, read by probes and metrics.
    private volatile @Nullable IOException failure;
    private final AtomicLong failures = new AtomicLong();
    private volatile long lastNanos;

    /** The refreshing thread only. */
    private int failedAttempts;

    Refresher(LookupView view, String table, RefreshRules rules) {
        this(view, table, rules, Clock.system(ZoneId.systemDefault()), System::nanoTime);
    }

    Refresher(LookupView view, String table, RefreshRules rules, Clock clock, LongSupplier nanoClock) {
        this.view = view;
        this.table = table;
        this.rules = rules;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.watch = new RefreshWatch(nanoClock, rules.mostPending());
    }

    /** Loads the view on the calling thread, then follows the table unless the view is fixed. */
    void start() throws IOException {
        load();
        if (!view.isFixed()) {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread refresher = new Thread(task, "lookup refresh " + table);
                refresher.setDaemon(true);
                refresher.setContextClassLoader(loader);
                return refresher;
            });
            schedule(thread, rules.interval());
        }
    }

    private void load() throws IOException {
        long start = nanoClock.getAsLong();
        // A snapshot may expire between planning and reading; the next attempt plans a newer one.
        for (int attempt = 1; ; attempt++) {
            try {
                view.refresh(watch);
                watch.openGate();
                lastNanos = nanoClock.getAsLong() - start;
                return;
            } catch (TableChangedException | ViewTooLargeException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                if (attempt == ATTEMPTS_TO_LOAD) {
                    throw new IOException(
                            "Loading table " + table + " for a lookup join failed " + attempt + " times, the last time"
                                    + " with: " + Causes.rootMessage(e),
                            e);
                }
                LOG.warn("Loading table {} for a lookup join failed, trying again", table, e);
            }
        }
    }

    private void schedule(ScheduledExecutorService on, Duration wait) {
        var unused = on.schedule(
                () -> {
                    Duration next = attempt();
                    if (next != null && !on.isShutdown()) {
                        schedule(on, next);
                    }
                },
                wait.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** @return how long to wait before the next attempt; null if there is to be none */
    @Nullable
    Duration attempt() {
        Duration pause = rules.pauses().remaining(LocalDateTime.now(clock));
        if (pause != null) {
            LOG.info("Table {} of a lookup join is not refreshed for {}, as the table's options ask", table, pause);
            return pause;
        }
        boolean succeeded = false;
        long start = nanoClock.getAsLong();
        watch.begin();
        try {
            view.refresh(watch);
            succeeded = true;
            failedAttempts = 0;
            return rules.interval();
        } catch (TableChangedException e) {
            failure = e;
            return null;
        } catch (IOException | RuntimeException e) {
            failures.incrementAndGet();
            failedAttempts++;
            if (failedAttempts < ATTEMPTS) {
                LOG.warn(
                        "Refreshing table {} for a lookup join failed, attempt {} of {}",
                        table,
                        failedAttempts,
                        ATTEMPTS,
                        e);
                return waitAfter(failedAttempts);
            }
            failure = givenUp(ATTEMPTS + " times in a row, the last time", e);
            return null;
        } catch (Error e) {
            // The executor would drop it, and the view would grow old unseen.
            failure = givenUp("for good", e);
            return null;
        } finally {
            lastNanos = nanoClock.getAsLong() - start;
            watch.end(succeeded);
        }
    }

    private IOException givenUp(String how, Throwable cause) {
        return new IOException(
                "Refreshing table " + table + " for a lookup join failed " + how + " with: " + Causes.rootMessage(cause)
                        + " The job stops rather than join with old rows; check the table's storage and the memory of"
                        + " the task manager.",
                cause);
    }

    private Duration waitAfter(int attempts) {
        Duration interval = rules.interval();
        Duration wait = interval.multipliedBy(1L << Math.min(attempts, ATTEMPTS));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT.compareTo(interval) < 0 ? interval : LONGEST_WAIT;
    }

    /**
     * To be called before each probe; waits if the view is too far behind.
     *
     * @throws IOException if refreshing has failed for good or hangs
     */
    void check() throws IOException {
        failIfStale();
        watch.awaitGate(this::failIfStale);
    }

    private void failIfStale() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            // A new object each time: several probes may throw at once, each with its own stack.
            throw new IOException(failed.getMessage(), failed);
        }
        if (watch.hangs()) {
            throw new IOException("The refresh of table " + table + " for a lookup join has read nothing for more than "
                    + RefreshWatch.HANGS_AFTER.toMinutes() + " minutes. The job stops rather than join with old rows;"
                    + " check the table's storage.");
        }
    }

    /** Whether probes are answered; false if refreshing has failed for good or hangs. */
    boolean works() {
        return failure == null && !watch.hangs();
    }

    RefreshWatch watch() {
        return watch;
    }

    /** How many refreshes have failed. */
    long failures() {
        return failures.get();
    }

    /** How long the last refresh took, or the load if there was none since, in milliseconds. */
    long lastMillis() {
        return TimeUnit.NANOSECONDS.toMillis(lastNanos);
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
            try {
                if (!thread.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                    LOG.warn(
                            "The refresh of table {} for a lookup join goes on until its storage answers, for nobody",
                            table);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
