/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** Options of a table on the dimension side of a lookup join. */
public final class LookupOptions {

    private static final Family FAMILY = new Family(Side.LOOKUP);

    public static final ConfigOption<Boolean> ASYNC = FAMILY.key("lookup.async", ValueType.bool())
            .from(Origin.VENDOR, Origin.PAIMON)
            .unit("flag")
            .about("Whether a subtask looks up several keys at once.")
            .defaultsTo(false);

    public static final ConfigOption<Integer> ASYNC_THREADS = FAMILY.key(
                    "lookup.async-thread-number", ValueType.integerFrom(1))
            .from(Origin.VENDOR, Origin.PAIMON)
            .unit("threads")
            .about("How many keys a subtask looks up at once when `lookup.async` is on.")
            .defaultsTo(16);

    public static final ConfigOption<LookupCacheMode> CACHE = FAMILY.key(
                    "lookup.cache", ValueType.oneOf(LookupCacheMode.class))
            .from(Origin.VENDOR, Origin.PAIMON)
            .unit("name")
            .about("Where rows are looked up: AUTO chooses by table and key, FULL loads the table to disk and memory,"
                    + " MEMORY loads it to memory only.")
            .note("Flink's own words NONE, PARTIAL and FULL for `lookup.cache` do not apply here: AUTO is closest to"
                    + " PARTIAL.")
            .defaultsTo(LookupCacheMode.AUTO);

    public static final ConfigOption<Integer> CACHE_MAX_ROWS = FAMILY.key(
                    "lookup.cache.max-rows", ValueType.integerFrom(1))
            .from(Origin.VENDOR)
            .unit("rows")
            .about("The most rows a lookup join keeps in its row cache; beyond it the row that was not used for longest"
                    + " goes. Keys without a row count too. Unset: no row cache.")
            .note("Paimon's `lookup.cache-rows` is another thing, the write buffer of a lookup changelog; it keeps its"
                    + " meaning.")
            .noDefault();

    public static final ConfigOption<Duration> CACHE_TTL = FAMILY.key("lookup.cache.ttl", ValueType.positiveDuration())
            .from(Origin.VENDOR)
            .unit("duration")
            .about("How long a row stays in the row cache before it is looked up again. Unset: until a new snapshot"
                    + " changes it.")
            .noDefault();

    public static final ConfigOption<Boolean> CACHE_INVALIDATION = FAMILY.key(
                    "lookup.cache.invalidation", ValueType.bool())
            .from(Origin.SLUICE)
            .unit("flag")
            .about("Whether a row that a new snapshot changes leaves the row cache. Off: only `lookup.cache.ttl` bounds"
                    + " how old a cached row may be, and the keys of new files are not read for it.")
            .defaultsTo(true);

    public static final ConfigOption<Integer> BOOTSTRAP_PARALLELISM = FAMILY.key(
                    "lookup.bootstrap-parallelism", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("threads")
            .about("How many threads of a subtask load the table at the start.")
            .defaultsTo(4);

    public static final ConfigOption<Duration> REFRESH_INTERVAL = FAMILY.key(
                    "lookup.continuous.discovery-interval", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("The longest a lookup join waits before it looks for a new snapshot again. Unset:"
                    + " `continuous.discovery-interval` if that is set, else one second.")
            .noDefault();

    public static final ConfigOption<Boolean> REFRESH_ASYNC = FAMILY.key("lookup.refresh.async", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether a lookup waits for a refresh that is more than"
                    + " `lookup.refresh.async.pending-snapshot-count` snapshots behind. Off: it answers as of the"
                    + " snapshot that was followed last, however far behind. New snapshots are followed in a thread of"
                    + " its own either way.")
            .note(
                    "With Paimon's own connector `false` means that a lookup refreshes the table itself before it answers,"
                            + " and so waits for it.")
            .defaultsTo(false);

    public static final ConfigOption<Integer> REFRESH_PENDING_SNAPSHOTS = FAMILY.key(
                    "lookup.refresh.async.pending-snapshot-count", ValueType.integerFrom(0))
            .from(Origin.PAIMON)
            .unit("snapshots")
            .about(
                    "How many snapshots the refresh may be behind before lookups wait for it, if `lookup.refresh.async` is"
                            + " on.")
            .defaultsTo(5);

    public static final ConfigOption<String> REFRESH_BLACKLIST = FAMILY.key(
                    "lookup.refresh.time-periods-blacklist",
                    ValueType.text()
                            .within(
                                    "periods 'yyyy-MM-dd HH:mm->yyyy-MM-dd HH:mm' with ',' between two",
                                    TimePeriods::wellFormed))
            .from(Origin.PAIMON)
            .unit("time periods")
            .about("Periods in which a loaded table does not follow new snapshots.")
            .noDefault();

    public static final ConfigOption<Integer> REFRESH_FULL_LOAD_THRESHOLD = FAMILY.key(
                    "lookup.refresh.full-load-threshold", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("snapshots")
            .about("How many snapshots a loaded table may be behind before it is loaded anew. Unset: never.")
            .noDefault();

    public static final ConfigOption<Duration> PARTITION_REFRESH_INTERVAL = FAMILY.key(
                    "lookup.dynamic-partition.refresh-interval", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("How often a lookup join looks which partition is the greatest.")
            .defaultsTo(Duration.ofHours(1));

    public static final ConfigOption<Boolean> PARTITION_REFRESH_ASYNC = FAMILY.key(
                    "lookup.dynamic-partition.refresh.async", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether the old greatest partition answers while the new one is loaded.")
            .defaultsTo(false);

    private LookupOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
