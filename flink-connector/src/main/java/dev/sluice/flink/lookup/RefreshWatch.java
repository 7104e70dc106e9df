/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a refresh tells about itself: that it gets on, how far the view is behind, and when probes have to wait for it.
 * The refreshing thread writes, probes and metrics read.
 */
final class RefreshWatch {

    /** A refresh that reads no row and reaches no snapshot for so long hangs. */
    static final Duration HANGS_AFTER = Duration.ofMinutes(10);

    private static final int MILLIS_BETWEEN_CHECKS = 100;

    private final LongSupplier nanoClock;

    /** How many snapshots the view may be behind before probes wait; null if they never do. */
    private final @Nullable Integer mostPending;

    private volatile boolean running;
    private volatile long lastProgress;
    private volatile @Nullable CountDownLatch gate;
    private volatile long followedSnapshot;
    private volatile long followedMillis;
    private volatile long latestSnapshot;
    private volatile long latestMillis;

    RefreshWatch(LongSupplier nanoClock, @Nullable Integer mostPending) {
        this.nanoClock = nanoClock;
        this.mostPending = mostPending;
    }

    void begin() {
        lastProgress = nanoClock.getAsLong();
        running = true;
    }

    /** @param succeeded whether the view is at the newest snapshot; otherwise probes go on waiting, if they do */
    void end(boolean succeeded) {
        running = false;
        if (succeeded) {
            openGate();
        }
    }

    /** The refresh is getting on. */
    void progress() {
        lastProgress = nanoClock.getAsLong();
    }

    /**
     * There is a newer snapshot than the view's.
     *
     * @param snapshotId the newest; 0 for a table without any
     * @param millis when it was committed, since the epoch
     */
    void found(long snapshotId, long millis) {
        progress();
        latestSnapshot = snapshotId;
        latestMillis = millis;
        if (mostPending != null && snapshotId - followedSnapshot > mostPending) {
            holdProbes();
        }
    }

    /** Probes are answered as of this snapshot from now on. */
    void followed(long snapshotId, long millis) {
        progress();
        followedSnapshot = snapshotId;
        followedMillis = millis;
    }

    /** Probes wait until the refresh has ended well. */
    void holdProbes() {
        if (gate == null) {
            gate = new CountDownLatch(1);
        }
    }

    void openGate() {
        CountDownLatch closed = gate;
        gate = null;
        if (closed != null) {
            closed.countDown();
        }
    }

    boolean hangs() {
        return running && nanoClock.getAsLong() - lastProgress > HANGS_AFTER.toNanos();
    }

    /** What fails if waiting makes no sense any more. */
    interface Check {
        void check() throws IOException;
    }

    /** @param check called now and then while waiting */
    void awaitGate(Check check) throws IOException {
        CountDownLatch closed = gate;
        if (closed == null) {
            return;
        }
        try {
            while (!closed.await(MILLIS_BETWEEN_CHECKS, TimeUnit.MILLISECONDS)) {
                check.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for a refresh of a lookup join's table.", e);
        }
    }

    long followedSnapshot() {
        return followedSnapshot;
    }

    long lagSnapshots() {
        return Math.max(0, latestSnapshot - followedSnapshot);
    }

    /** How much older the followed snapshot is than the newest one seen, in seconds. */
    long lagSeconds() {
        return latestSnapshot == followedSnapshot ? 0 : Math.max(0, (latestMillis - followedMillis) / 1000);
    }
}
