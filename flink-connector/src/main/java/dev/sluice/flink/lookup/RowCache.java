/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * Answers of probes, kept ready to hand out: those used last, each no longer than a time to live. A key without rows is
 * an answer too and counts as one row. Safe for several threads.
 *
 * <p>An answer read from an older snapshot must not enter after its key was evicted for a newer one. So whoever loads an
 * answer notes the generation before it reads and puts the answer in under it; whoever follows a snapshot first moves
 * what is read, then begins a generation, then evicts.
 */
final class RowCache {

    /** What an entry takes beside its key's and rows' bytes: objects, links and a slot of the map. */
    private static final int BYTES_PER_ENTRY = 160;

    private static final int STRIPES = 16;

    /** Fewer rows are kept in one stripe, where the row that goes is exactly the one that was not used for longest. */
    private static final int SMALLEST_STRIPED = 16 * 256;

    private final Stripe[] stripes;
    private final @Nullable Long ttlNanos;
    private final LongSupplier nanoClock;
    private final AtomicLong generation = new AtomicLong();

    /** @param ttl null for until evicted */
    RowCache(int maxRows, @Nullable Duration ttl, LongSupplier nanoClock) {
        int count = maxRows < SMALLEST_STRIPED ? 1 : STRIPES;
        stripes = new Stripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(maxRows / count);
        }
        this.ttlNanos = ttl == null ? null : ttl.toNanos();
        this.nanoClock = nanoClock;
    }

    private Stripe stripe(BinaryRowData key) {
        int hash = key.hashCode();
        return stripes[(hash >>> 24) % stripes.length];
    }

    /** @return null if the key has no answer here */
    @Nullable
    Collection<RowData> get(BinaryRowData key) {
        return stripe(key).get(key, ttlNanos == null ? 0 : nanoClock.getAsLong(), ttlNanos);
    }

    /** To be noted before an answer is read. */
    long generation() {
        return generation.get();
    }

    /**
     * @param key not reused by anyone
     * @param since the generation from before the answer was read; if another has begun, nothing is kept
     */
    void put(BinaryRowData key, Collection<RowData> rows, long since) {
        put(key, rows, since, nanoClock.getAsLong());
    }

    /** @param askedAt by the cache's clock, before storage was read: what it had may have changed since */
    void put(BinaryRowData key, Collection<RowData> rows, long since, long askedAt) {
        stripe(key).put(key, new Entry(rows, askedAt), since);
    }

    /** To be called when probes read the newer snapshot, and before what it changed is evicted. */
    void beginGeneration() {
        generation.incrementAndGet();
    }

    void evict(BinaryRowData key) {
        stripe(key).evict(key);
    }

    void clear() {
        for (Stripe stripe : stripes) {
            stripe.clear();
        }
    }

    long rows() {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.rows();
        }
        return sum;
    }

    long bytes() {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.bytes();
        }
        return sum;
    }

    private record Entry(Collection<RowData> rows, long loadedAt) {

        int weight() {
            return Math.max(1, rows.size());
        }

        long bytes(BinaryRowData key) {
            long bytes = (long) BYTES_PER_ENTRY + key.getSizeInBytes();
            for (RowData row : rows) {
                bytes += row instanceof BinaryRowData binary ? binary.getSizeInBytes() : BYTES_PER_ENTRY;
            }
            return bytes;
        }
    }

    private final class Stripe {

        private final int maxRows;
        private final LinkedHashMap<BinaryRowData, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
        private long rows;
        private long bytes;

        Stripe(int maxRows) {
            this.maxRows = maxRows;
        }

        synchronized @Nullable Collection<RowData> get(BinaryRowData key, long now, @Nullable Long ttl) {
            Entry entry = entries.get(key);
            if (entry == null) {
                return null;
            }
            if (ttl != null && now - entry.loadedAt >= ttl) {
                evict(key);
                return null;
            }
            return entry.rows;
        }

        synchronized void put(BinaryRowData key, Entry entry, long since) {
            // Under the lock that evicting takes: a generation that begins now finds the entry and evicts it.
            if (generation.get() != since || entry.weight() > maxRows) {
                return;
            }
            evict(key);
            entries.put(key, entry);
            rows += entry.weight();
            bytes += entry.bytes(key);
            Iterator<Map.Entry<BinaryRowData, Entry>> oldest =
                    entries.entrySet().iterator();
            while (rows > maxRows) {
                Map.Entry<BinaryRowData, Entry> gone = oldest.next();
                subtract(gone.getKey(), gone.getValue());
                oldest.remove();
            }
        }

        synchronized void evict(BinaryRowData key) {
            Entry gone = entries.remove(key);
            if (gone != null) {
                subtract(key, gone);
            }
        }

        private void subtract(BinaryRowData key, Entry entry) {
            rows -= entry.weight();
            bytes -= entry.bytes(key);
        }

        synchronized void clear() {
            entries.clear();
            rows = 0;
            bytes = 0;
        }

        synchronized long rows() {
            return rows;
        }

        synchronized long bytes() {
            return bytes;
        }
    }
}
