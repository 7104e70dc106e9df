/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Answers of probes in the cache, beside the cache that Flink has for lookups; in its package, which nobody else sees. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RowCacheBenchmark {

    private static final int ROWS = 10_000;

    private interface Answers {
        @Nullable
        Collection<RowData> get(BinaryRowData key);

        void put(BinaryRowData key, Collection<RowData> rows);
    }

    @Param({"sluice", "flink"})
    private String cache = "sluice";

    private final BinaryRowData[] kept = keys(0);
    private final BinaryRowData[] missing = keys(ROWS);
    private final List<RowData> answer = List.of(kept[0]);
    private @Nullable Answers answers;
    private @Nullable Answers full;

    @Setup
    public void setUp() {
        answers = open(2 * ROWS);
        full = open(ROWS / 2);
        for (BinaryRowData key : kept) {
            answers().put(key, answer);
        }
    }

    private Answers answers() {
        return Objects.requireNonNull(answers);
    }

    private Answers open(int rows) {
        if (cache.equals("sluice")) {
            RowCache own = new RowCache(rows, null, System::nanoTime);
            return new Answers() {
                @Override
                public @Nullable Collection<RowData> get(BinaryRowData key) {
                    return own.get(key);
                }

                @Override
                public void put(BinaryRowData key, Collection<RowData> rows) {
                    own.put(key, rows, own.generation());
                }
            };
        }
        DefaultLookupCache flink =
                DefaultLookupCache.newBuilder().maximumSize(rows).build();
        flink.open(UnregisteredMetricsGroup.createCacheMetricGroup());
        return new Answers() {
            @Override
            public @Nullable Collection<RowData> get(BinaryRowData key) {
                return flink.getIfPresent(key);
            }

            @Override
            public void put(BinaryRowData key, Collection<RowData> rows) {
                flink.put(key, rows);
            }
        };
    }

    private static BinaryRowData[] keys(int from) {
        BinaryRowData[] keys = new BinaryRowData[ROWS];
        for (int i = 0; i < ROWS; i++) {
            keys[i] = new BinaryRowData(1);
            BinaryRowWriter writer = new BinaryRowWriter(keys[i]);
            writer.writeLong(0, (from + i) * 1_000_003L);
            writer.complete();
        }
        return keys;
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int hit() {
        return found(kept);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int miss() {
        return found(missing);
    }

    private int found(BinaryRowData[] keys) {
        int found = 0;
        for (BinaryRowData key : keys) {
            found += answers().get(key) == null ? 0 : 1;
        }
        return found;
    }

    /** Into a cache for half of them, so that one goes for each that comes. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int insert() {
        Answers all = Objects.requireNonNull(full);
        for (BinaryRowData key : kept) {
            all.put(key, answer);
        }
        return ROWS;
    }
}
