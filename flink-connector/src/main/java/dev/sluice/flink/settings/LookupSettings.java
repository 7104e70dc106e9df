/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.LookupCacheMode;
import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.option.ReadOptions;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is probed by a lookup join.
 *
 * @param async whether probes are answered without blocking the task thread
 * @param asyncThreads probes of one subtask that may read files at once, if async
 * @param cache where rows come from and which are kept
 * @param refresh how new snapshots are followed
 * @param bootstrapParallelism threads of a subtask that load the table at the start
 */
public record LookupSettings(boolean async, int asyncThreads, Cache cache, Refresh refresh, int bootstrapParallelism)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** A dimension should be fresh, and a look costs one small read, so it is shorter than a scan's default. */
    private static final Duration DEFAULT_REFRESH_INTERVAL = Duration.ofSeconds(1);

    public LookupSettings {
        Positive.check(LookupOptions.ASYNC_THREADS, asyncThreads);
        Positive.check(LookupOptions.BOOTSTRAP_PARALLELISM, bootstrapParallelism);
    }

    /**
     * @param mode where rows come from
     * @param maxRows most rows of the row cache, or null for no row cache
     * @param ttl how long a row stays in it, or null for until a snapshot changes it
     * @param invalidates whether a row that a snapshot changes leaves it
     */
    public record Cache(
            LookupCacheMode mode,
            @Nullable Integer maxRows,
            @Nullable Duration ttl,
            boolean invalidates) implements Serializable {

        private static final long serialVersionUID = 1L;

        public Cache {
            Positive.check(LookupOptions.CACHE_MAX_ROWS, maxRows);
            Positive.check(LookupOptions.CACHE_TTL, ttl);
        }
    }

    /**
     * @param interval longest wait between two looks for a new snapshot
     * @param async whether probes wait for a refresh that is too far behind; it runs in a thread of its own either way
     * @param pendingSnapshots how many snapshots it may be behind before probes wait
     * @param blacklist periods without refresh as the option has them, or null for none
     * @param fullLoadThreshold how many snapshots it may be behind before it is loaded anew, or null for never
     * @param partitions the partitions to join with as the option has them, or null for all
     * @param partitionInterval how often the greatest partition is looked for
     * @param partitionAsync whether the old greatest partition answers while the new one is loaded
     */
    public record Refresh(
            Duration interval,
            boolean async,
            int pendingSnapshots,
            @Nullable String blacklist,
            @Nullable Integer fullLoadThreshold,
            @Nullable String partitions,
            Duration partitionInterval,
            boolean partitionAsync)
            implements Serializable {

        private static final long serialVersionUID = 1L;

        public Refresh {
            Positive.check(LookupOptions.REFRESH_INTERVAL, interval);
            Positive.check(LookupOptions.REFRESH_FULL_LOAD_THRESHOLD, fullLoadThreshold);
            Positive.check(LookupOptions.PARTITION_REFRESH_INTERVAL, partitionInterval);
            if (pendingSnapshots < 0) {
                throw Positive.refused(
                        LookupOptions.REFRESH_PENDING_SNAPSHOTS, pendingSnapshots, "a whole number from 0");
            }
        }

        static Refresh from(ReadableConfig options) {
            Duration interval = options.getOptional(LookupOptions.REFRESH_INTERVAL)
                    .or(() -> options.getOptional(ReadOptions.DISCOVERY_INTERVAL))
                    .orElse(DEFAULT_REFRESH_INTERVAL);
            return new Refresh(
                    interval,
                    options.get(LookupOptions.REFRESH_ASYNC),
                    options.get(LookupOptions.REFRESH_PENDING_SNAPSHOTS),
                    options.getOptional(LookupOptions.REFRESH_BLACKLIST).orElse(null),
                    options.getOptional(LookupOptions.REFRESH_FULL_LOAD_THRESHOLD)
                            .orElse(null),
                    options.getOptional(ReadOptions.PARTITIONS).orElse(null),
                    options.get(LookupOptions.PARTITION_REFRESH_INTERVAL),
                    options.get(LookupOptions.PARTITION_REFRESH_ASYNC));
        }
    }

    /** With what holds by default for everything else. */
    public LookupSettings(boolean async, int asyncThreads, Duration refreshInterval) {
        this(
                async,
                asyncThreads,
                new Cache(LookupOptions.CACHE.defaultValue(), null, null, true),
                Refresh.from(new Configuration().set(LookupOptions.REFRESH_INTERVAL, refreshInterval)),
                LookupOptions.BOOTSTRAP_PARALLELISM.defaultValue());
    }

    /** The longest wait between two looks for a new snapshot. */
    public Duration refreshInterval() {
        return refresh.interval();
    }

    public LookupCacheMode cacheMode() {
        return cache.mode();
    }

    /** Whether it is left to the connector where rows come from. */
    public boolean cacheIsAuto() {
        return cache.mode() == LookupCacheMode.AUTO;
    }

    /** Whether no rows go to local disk. */
    public boolean cacheIsMemoryOnly() {
        return cache.mode() == LookupCacheMode.MEMORY;
    }

    /** Most rows of the row cache, or null for no row cache. */
    public @Nullable Integer cacheMaxRows() {
        return cache.maxRows();
    }

    /** How long a row stays in the row cache, or null for until a snapshot changes it. */
    public @Nullable Duration cacheTtl() {
        return cache.ttl();
    }

    /**
     * @param options with the keys of the option room, in any of their spellings
     * @throws IllegalArgumentException if a value cannot be read or is out of its range
     */
    public static LookupSettings from(ReadableConfig options) {
        return new LookupSettings(
                options.get(LookupOptions.ASYNC),
                options.get(LookupOptions.ASYNC_THREADS),
                new Cache(
                        options.get(LookupOptions.CACHE),
                        options.getOptional(LookupOptions.CACHE_MAX_ROWS).orElse(null),
                        options.getOptional(LookupOptions.CACHE_TTL).orElse(null),
                        options.get(LookupOptions.CACHE_INVALIDATION)),
                Refresh.from(options),
                options.get(LookupOptions.BOOTSTRAP_PARALLELISM));
    }
}
