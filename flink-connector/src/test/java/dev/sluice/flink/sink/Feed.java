/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.table.data.RowData;

/** What a test and the rows on their way to the sink tell each other; one a test, found by its name in this JVM. */
final class Feed {

    private static final ConcurrentHashMap<String, Feed> ALL = new ConcurrentHashMap<>();

    final AtomicLong passed = new AtomicLong();
    final AtomicInteger failuresLeft = new AtomicInteger();
    final AtomicInteger readers = new AtomicInteger();
    final CompletableFuture<Void> gate = new CompletableFuture<>();

    static Feed of(String name) {
        return ALL.computeIfAbsent(name, key -> new Feed());
    }

    /** Counts rows; fails after a completed checkpoint and some more rows, as often as the test has asked for. */
    static final class Failing extends RichMapFunction<RowData, RowData> implements CheckpointListener {
        private final String name;
        private transient boolean checkpointed;
        private transient int rowsSince;

        Failing(String name) {
            this.name = name;
        }

        @Override
        public RowData map(RowData row) {
            Feed feed = of(name);
            feed.passed.incrementAndGet();
            if (checkpointed && ++rowsSince > 50 && feed.failuresLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IllegalStateException("the test fails here");
            }
            return row;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpointed = true;
        }
    }

    /** Lets 500 rows of the first reader pass and holds all others until the test opens the gate. */
    @SuppressWarnings("rawtypes") // generic from Flink 2.1 on only
    record Gated(String name) implements RateLimiterStrategy {

        @Override
        public RateLimiter<?> createRateLimiter(int parallelism) {
            Feed feed = of(name);
            if (feed.readers.getAndIncrement() % parallelism == 0) {
                // It may be given the others' rows, too, if it asks for them first.
                AtomicLong left = new AtomicLong(500);
                return permits -> left.addAndGet(-permits) >= 0 ? CompletableFuture.completedFuture(null) : feed.gate;
            }
            return permits -> feed.gate;
        }
    }
}
