/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.settings.StreamReadSettings.Limits;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.SplitSize;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the table is looked at, and how much of what was found is handed out at a time. Used on the coordinator's thread
 * only; times are milliseconds of a clock that does not go back.
 */
final class ReadPace {

    /** Looking at rest costs one request to the store, so a long discovery interval need not delay new data. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** Where snapshots come one after the other, the next is not far. */
    static final Duration SHORTEST_REST = Duration.ofMillis(100);

    private final Limits limits;
    private final long intervalMillis;
    private final LongSupplier clock;

    private long restMillis;
    private long nextLook;

    private long roundBegan;
    private SplitSize handedInRound = SplitSize.NOTHING;

    private long rowsWaiting;
    private long gatheringSince;
    private boolean gathering = true;

    ReadPace(Limits limits, Duration discoveryInterval, LongSupplier clock) {
        this.limits = limits;
        this.intervalMillis = discoveryInterval.toMillis();
        this.clock = clock;
        this.restMillis = shortestRest();
        this.roundBegan = clock.getAsLong();
        this.nextLook = roundBegan;
    }

    /** How often it is worth asking whether a look is due. */
    long shortestRest() {
        return Math.max(1, Math.min(intervalMillis, SHORTEST_REST.toMillis()));
    }

    boolean lookIsDue() {
        return clock.getAsLong() >= nextLook;
    }

    /** There was something new: there may be more. */
    void found() {
        restMillis = shortestRest();
        nextLook = clock.getAsLong();
    }

    /** There was nothing new: the longer that lasts, the longer the rests, up to the interval or a second. */
    void foundNothing() {
        nextLook = clock.getAsLong() + restMillis;
        restMillis = Math.max(1, Math.min(Math.min(restMillis * 2, intervalMillis), LONGEST_REST.toMillis()));
    }

    /** @param times how often in a row */
    void failed(int times) {
        nextLook = clock.getAsLong() + (LONGEST_REST.toMillis() << times);
    }

    void planned(PaimonSplit split) {
        if (rowsWaiting == 0) {
            gatheringSince = clock.getAsLong();
        }
        rowsWaiting += SplitSize.of(split.split()).rows();
    }

    /** @param full whether nothing more will be planned until something has been handed out */
    boolean mayHandOut(boolean full) {
        Long minRows = limits.minRows();
        Duration maxDelay = limits.maxDelay();
        if (minRows == null || maxDelay == null) {
            return true;
        }
        if (full || rowsWaiting >= minRows || clock.getAsLong() - gatheringSince >= maxDelay.toMillis()) {
            gathering = false;
        }
        return !gathering;
    }

    /** At least one split in each round, that is each discovery interval. */
    boolean fits(PaimonSplit split) {
        long now = clock.getAsLong();
        if (now - roundBegan >= intervalMillis) {
            roundBegan = now;
            handedInRound = SplitSize.NOTHING;
        }
        SplitSize size = handedInRound.plus(SplitSize.of(split.split()));
        return handedInRound.equals(SplitSize.NOTHING)
                || (within(size.bytes(), limits.maxBytes())
                        && within(size.rows(), limits.maxRows())
                        && (limits.maxFiles() == null || size.files() <= limits.maxFiles()));
    }

    private static boolean within(long value, @Nullable Long limit) {
        return limit == null || value <= limit;
    }

    /** @param more whether other splits wait */
    void handedOut(PaimonSplit split, boolean more) {
        SplitSize size = SplitSize.of(split.split());
        handedInRound = handedInRound.plus(size);
        rowsWaiting = more ? Math.max(0, rowsWaiting - size.rows()) : 0;
        gathering |= !more;
    }
}
