/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Gauge;

/**
 * How long it took from the commit of a snapshot to the first row of one of its splits. Splits are opened on the
 * fetcher's thread and emitted on the task's; the value is read by whoever reports metrics.
 */
final class CommitLag implements Gauge<Long> {

    static final String NAME = "commitToRowMillis";

    /** Before any row of a new snapshot. */
    static final long UNKNOWN = -1;

    private final LongSupplier epochMillis;
    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private volatile long last = UNKNOWN;

    CommitLag(LongSupplier epochMillis) {
        this.epochMillis = epochMillis;
    }

    /** @param commitMillis when the split's snapshot was committed, in milliseconds since 1970-01-01 UTC */
    void opened(String splitId, long commitMillis) {
        committed.put(splitId, commitMillis);
    }

    void emitted(String splitId) {
        if (!committed.isEmpty()) {
            Long commitMillis = committed.remove(splitId);
            if (commitMillis != null) {
                last = Math.max(0, epochMillis.getAsLong() - commitMillis);
            }
        }
    }

    /** A split may have no row at all. */
    void finished(String splitId) {
        committed.remove(splitId);
    }

    @Override
    public Long getValue() {
        return last;
    }
}
