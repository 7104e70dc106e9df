/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.TableChangedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a view at the table's newest snapshot from a thread of its own. A refresh that fails is tried again, waiting
 * longer each time; after the last attempt every probe fails, so that a view is never stale without anyone knowing.
 */
final class Refresher implements AutoCloseable {

    /** With the waits below, storage may be away for about a minute. */
    static final int ATTEMPTS = 10;

    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);
    private static final int ATTEMPTS_TO_LOAD = 3;

    private final LookupView view;
    private final String table;
    private final Duration interval;
    private @Nullable ScheduledExecutorService thread;

    /** Written by the refreshing thread, read by probes. */
    private volatile @Nullable IOException failure;

    /** The refreshing thread only. */
    private int failedAttempts;

    Refresher(LookupView view, String table, Duration interval) {
        this.view = view;
        this.table = table;
        this.interval = interval;
    }

    /** Loads the view on the calling thread, then follows the table unless the view is fixed. */
    void start() throws IOException {
        load();
        if (!view.isFixed()) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread refresher = new Thread(task, "lookup refresh " + table);
                refresher.setDaemon(true);
                refresher.setContextClassLoader(Thread.currentThread().getContextClassLoader());
                return refresher;
            });
            schedule(thread, interval);
        }
    }

    private void load() throws IOException {
        // A snapshot may expire between planning and reading; the next attempt plans a newer one.
        for (int attempt = 1; ; attempt++) {
            try {
                view.refresh();
                return;
            } catch (TableChangedException e) {
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
        try {
            view.refresh();
            failedAttempts = 0;
            return interval;
        } catch (TableChangedException e) {
            failure = e;
            return null;
        } catch (IOException | RuntimeException e) {
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
        }
    }

    private IOException givenUp(String how, Throwable cause) {
        return new IOException(
                "Refreshing table " + table + " for a lookup join failed " + how + " with: " + Causes.rootMessage(cause)
                        + " The job stops rather than join with old rows; check the table's storage and the memory of"
                        + " the task manager.",
                cause);
    }

    private Duration waitAfter(int failures) {
        Duration wait = interval.multipliedBy(1L << Math.min(failures, ATTEMPTS));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT.compareTo(interval) < 0 ? interval : LONGEST_WAIT;
    }

    /** @throws IOException if refreshing has failed for good */
    void check() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            // A new object each time: several probes may throw at once, each with its own stack.
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public void close() throws IOException {
        if (thread != null) {
            thread.shutdownNow();
            try {
                // The view must not be changed after this returns, since its owner closes it next.
                if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                    LOG.warn("The refresh of table {} for a lookup join did not stop within a minute", table);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
