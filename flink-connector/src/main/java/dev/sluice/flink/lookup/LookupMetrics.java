/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;

/**
 * What a subtask counts, under the names that Flink's own lookup caches have, and what it shows of the view that it
 * shares. Counted by several threads.
 */
final class LookupMetrics {

    private final SharedCounter hits = new SharedCounter();
    private final SharedCounter misses = new SharedCounter();
    private final SharedCounter loads = new SharedCounter();
    private final SharedCounter loadFailures = new SharedCounter();
    private final LongSupplier nanoClock;
    private volatile long latestLoadNanos;

    /** Reads rows from storage. */
    interface Load {
        Collection<RowData> rows() throws IOException;
    }

    LookupMetrics(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    void register(FunctionContext context, SharedView shared) {
        MetricGroup cache = context.getMetricGroup().addGroup("cache");
        cache.counter("hitCount", hits);
        cache.counter("missCount", misses);
        cache.counter("loadCount", loads);
        cache.counter("numLoadFailures", loadFailures);
        cache.<Long, Gauge<Long>>gauge("latestLoadTime", () -> TimeUnit.NANOSECONDS.toMillis(latestLoadNanos));
        cache.<Long, Gauge<Long>>gauge(
                "numCachedRecords", () -> shared.view().size().rows());
        cache.<Long, Gauge<Long>>gauge(
                "numCachedBytes", () -> shared.view().size().bytes());
        MetricGroup refresh = context.getMetricGroup().addGroup("lookupRefresh");
        Refresher refresher = shared.refresher();
        refresh.<Long, Gauge<Long>>gauge(
                "followedSnapshot", () -> refresher.watch().followedSnapshot());
        refresh.<Long, Gauge<Long>>gauge("lagSnapshots", () -> refresher.watch().lagSnapshots());
        refresh.<Long, Gauge<Long>>gauge("lagSeconds", () -> refresher.watch().lagSeconds());
        refresh.<Long, Gauge<Long>>gauge("latestRefreshTime", refresher::lastMillis);
        refresh.<Long, Gauge<Long>>gauge("numRefreshFailures", refresher::failures);
    }

    void hit() {
        hits.inc();
    }

    void missed() {
        misses.inc();
    }

    Collection<RowData> timed(Load load) throws IOException {
        long start = nanoClock.getAsLong();
        try {
            Collection<RowData> rows = load.rows();
            loads.inc();
            latestLoadNanos = nanoClock.getAsLong() - start;
            return rows;
        } catch (IOException | RuntimeException e) {
            loadFailures.inc();
            throw e;
        }
    }

    private static final class SharedCounter implements Counter {

        private final LongAdder count = new LongAdder();

        @Override
        public void inc() {
            count.increment();
        }

        @Override
        public void inc(long n) {
            count.add(n);
        }

        @Override
        public void dec() {
            count.decrement();
        }

        @Override
        public void dec(long n) {
            count.add(-n);
        }

        @Override
        public long getCount() {
            return count.sum();
        }
    }
}
