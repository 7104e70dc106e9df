/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.BucketShare;
import dev.sluice.flink.store.FollowRules;
import dev.sluice.flink.store.KeyedFiles;
import dev.sluice.flink.store.LookupLimits;
import dev.sluice.flink.store.QueryService;
import dev.sluice.flink.store.TableFollower;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides where the rows of a lookup join come from, says so in the log, and loads them. */
final class ViewChoice {

    private static final Logger LOG = LoggerFactory.getLogger(ViewChoice.class);

    /** What a row takes beside its columns: its header in the pages and its share of the index and of the slices. */
    private static final int BYTES_BESIDE_ROW = 32;

    /** Files may hold a row in several versions, and a filter may leave few: only far more rows than fit settle it. */
    private static final int VERSIONS = 4;

    private static final int ROWS_PER_MATCH = 64;

    /** With {@code FULL}, so small a part of the memory for rows that few of them need no file. */
    private static final int FULL_MEMORY_DIVISOR = 16;

    private static final Duration PATIENCE_WITH_SERVICE = Duration.ofMinutes(1);

    private final LookupSpec spec;
    private final LookupLimits limits;
    private final Path folder;
    private final String table;

    /** @param folder where local files may be made */
    ViewChoice(LookupSpec spec, Path folder) {
        this.spec = spec;
        this.limits = LookupLimits.of(spec.table());
        this.folder = folder.resolve("lookup-" + UUID.randomUUID());
        this.table = spec.table().name();
    }

    /** @param share the buckets of the table that are needed; null for all */
    SharedView open(@Nullable BucketShare share) throws IOException {
        RefreshRules rules = RefreshRules.of(spec.settings());
        LookupSettings settings = spec.settings();
        if (settings.cacheIsMemoryOnly()) {
            log("'lookup.cache' says so", "all of its matching rows are held in memory");
            return SharedView.start(memoryView(MemoryView.UNBOUNDED, () -> Spill.NONE, share), table, rules);
        }
        if (!settings.cacheIsAuto()) {
            long rowBytes = limits.memoryBytes() / FULL_MEMORY_DIVISOR;
            log(
                    "'lookup.cache' says so",
                    "its matching rows are held in local files, the first " + rowBytes + " bytes of them in memory");
            return SharedView.start(memoryView(MemoryView.UNBOUNDED, spills(rowBytes), share), table, rules);
        }
        List<Integer> keyColumns =
                spec.keys().stream().map(spec.projection()::get).toList();
        String whyNotFiles = settings.refresh().partitions() == null
                ? KeyedFiles.whyNot(spec.table(), keyColumns, spec.projectedColumns())
                : "'scan.partitions' chooses some of its partitions";
        if (whyNotFiles == null && QueryService.isRegistered(spec.table())) {
            log("one is registered for it", "each probe asks its query service");
            return SharedView.start(serviceView(keyColumns), table, rules);
        }
        if (whyNotFiles != null) {
            log(
                    "its files cannot be searched by the join key, since " + whyNotFiles,
                    "all of its matching rows are held in memory, beyond " + limits.memoryBytes()
                            + " bytes in local files");
            // The rest is for the index that finds them.
            long rowBytes = limits.memoryBytes() / 4 * 3;
            return SharedView.start(memoryView(MemoryView.UNBOUNDED, spills(rowBytes), share), table, rules);
        }
        String whyNotMemory = whyClearlyTooLarge();
        if (whyNotMemory == null) {
            try {
                SharedView view = SharedView.start(
                        memoryView(limits.memoryBytes(), spills(limits.memoryBytes()), share), table, rules);
                ViewSize size = view.view().size();
                log(
                        "they take " + size.bytes() + " of " + limits.memoryBytes() + " bytes",
                        "its " + size.rows() + " matching rows are held in memory");
                return view;
            } catch (ViewTooLargeException e) {
                whyNotMemory = "its rows do not fit into the " + limits.memoryBytes()
                        + " bytes of 'lookup.cache-max-memory-size'";
            }
        }
        log(
                whyNotMemory,
                "each probe finds its primary key in local copies of the table's files"
                        + (spec.settings().cacheMaxRows() == null
                                ? ""
                                : ", the last " + spec.settings().cacheMaxRows() + " rows are kept"));
        return SharedView.start(fileView(keyColumns), table, rules);
    }

    private void log(String why, String what) {
        LOG.info(
                "Lookup join with {}, cache mode {}: {}, because {}",
                table,
                spec.settings().cacheMode(),
                what,
                why);
    }

    /** @return why loading need not be tried; null if it may fit */
    private @Nullable String whyClearlyTooLarge() {
        long rows = LookupLimits.rowsInFiles(spec.table());
        long smallestRow = (long) BYTES_BESIDE_ROW
                + BinaryRowData.calculateFixPartSizeInBytes(spec.projection().size());
        long perRow = (long) VERSIONS * (spec.filters().isEmpty() ? 1 : ROWS_PER_MATCH);
        if (rows / perRow * smallestRow <= limits.memoryBytes()) {
            return null;
        }
        return "its files have " + rows + " rows of at least " + smallestRow + " bytes in memory, where "
                + limits.memoryBytes() + " are allowed ('lookup.cache-max-memory-size')";
    }

    /** @param rowBytes rows stay in memory while no more than that is there */
    private Supplier<Spill> spills(long rowBytes) {
        return () -> new DiskSpill(table, folder, limits.memoryBytes(), rowBytes, limits.diskBytes());
    }

    private LookupView memoryView(long loadBytes, Supplier<Spill> spills, @Nullable BucketShare share) {
        LookupSettings.Refresh refresh = spec.settings().refresh();
        FollowRules rules =
                new FollowRules(refresh.partitions(), refresh.partitionInterval(), refresh.fullLoadThreshold(), share);
        TableFollower follower =
                TableFollower.open(spec.table(), spec.projectedColumns(), spec.filters(), rules, System::nanoTime);
        RowType rowType = spec.resultType();
        return new MemoryView(
                follower,
                follower.isFixed(),
                table,
                rowType,
                spec.keys(),
                loadBytes,
                spills,
                !refresh.partitionAsync(),
                spec.settings().bootstrapParallelism());
    }

    private LookupView serviceView(List<Integer> keyColumns) {
        LookupKeys keys = LookupKeys.of(spec);
        LookupSettings.Cache cache = spec.settings().cache();
        RowCache rowCache = cache.maxRows() == null || cache.ttl() == null
                ? null
                : new RowCache(cache.maxRows(), cache.ttl(), System::nanoTime);
        QueryService service = QueryService.connect(
                spec.table(),
                spec.projectedColumns(),
                spec.filters(),
                keyColumnsOf(keys, keyColumns),
                PATIENCE_WITH_SERVICE);
        return new ServiceView(asked(service), keys, rowCache);
    }

    private static ServiceView.Service asked(QueryService service) {
        return new ServiceView.Service() {
            @Override
            public @Nullable InternalRow get(InternalRow key) throws IOException {
                return service.get(key);
            }

            @Override
            public void close() {
                service.close();
            }
        };
    }

    private static List<Integer> keyColumnsOf(LookupKeys keys, List<Integer> keyColumns) {
        return keys.primaryKeyInKey().stream().map(keyColumns::get).toList();
    }

    private LookupView fileView(List<Integer> keyColumns) throws IOException {
        LookupKeys keys = LookupKeys.of(spec);
        KeyedFiles files =
                KeyedFiles.open(spec.table(), spec.projectedColumns(), spec.filters(), keyColumnsOf(keys, keyColumns));
        LookupSettings.Cache cache = spec.settings().cache();
        RowCache rowCache =
                cache.maxRows() == null ? null : new RowCache(cache.maxRows(), cache.ttl(), System::nanoTime);
        LocalFiles local = new LocalFiles(folder, limits.diskBytes(), limits.fileRetention(), System::nanoTime);
        return new FileView(files, keys, table, local, rowCache, cache.invalidates(), System::nanoTime);
    }
}
