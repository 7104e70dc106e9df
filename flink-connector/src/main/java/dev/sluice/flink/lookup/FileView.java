/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.KeyedFiles;
import dev.sluice.flink.store.KeyedLayout;
import dev.sluice.flink.store.SortedFile;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one row of a primary key in local copies of the table's sorted files, for tables where {@link
 * KeyedFiles#isExact} holds. A copy is made when a key is first looked for in a file; where a bucket has copies, the
 * refresh makes those of its new files, so that no probe waits for them.
 */
final class FileView implements LookupView {

    private static final int ROWS_BETWEEN_PROGRESS = 1024;

    /** A probe that found its file gone waits so long for the refresh that shows the files that took its place. */
    private static final long SECONDS_FOR_REFRESH = 60;

    private final KeyedFiles files;
    private final LookupKeys keys;
    private final String table;
    private final LocalFiles local;

    /** Null if answers are not kept. */
    private final @Nullable RowCache cache;

    private final boolean evicts;
    private final LongSupplier nanoClock;
    private final ThreadLocal<RowConverter> converters;
    private final ReentrantLock refreshing = new ReentrantLock();

    /** What the last refresh was given; for one that a probe begins. */
    private volatile @Nullable RefreshWatch lastWatch;

    /** Which files probes search. */
    private volatile KeyedLayout layout;

    /**
     * @param cache null for none
     * @param evicts whether a key that a snapshot changes leaves the cache
     */
    FileView(
            KeyedFiles files,
            LookupKeys keys,
            String table,
            LocalFiles local,
            @Nullable RowCache cache,
            boolean evicts,
            LongSupplier nanoClock) {
        this.files = files;
        this.keys = keys;
        this.table = table;
        this.local = local;
        this.cache = cache;
        this.evicts = evicts;
        this.nanoClock = nanoClock;
        this.converters = ThreadLocal.withInitial(() -> new RowConverter(keys));
        this.layout = files.layout();
    }

    @Override
    public @Nullable Collection<RowData> getIfCached(BinaryRowData key) {
        if (cache == null) {
            return null;
        }
        RowConverter converter = converters.get();
        Collection<RowData> rows = cache.get(converter.primaryKey(key));
        return rows == null ? null : converter.matching(key, rows);
    }

    @Override
    public Collection<RowData> get(BinaryRowData key) throws IOException {
        RowConverter converter = converters.get();
        BinaryRowData primaryKey = converter.primaryKey(key);
        // Noted before the layout is read: an answer from an older one is not kept.
        long generation = cache == null ? 0 : cache.generation();
        long askedAt = cache == null ? 0 : nanoClock.getAsLong();
        LocalRows.Found found = find(primaryKey, converter);
        Collection<RowData> rows = found == null || found.row() == null ? List.of() : List.of(found.row());
        if (cache != null) {
            cache.put(primaryKey.copy(), rows, generation, askedAt);
        }
        return converter.matching(key, rows);
    }

    private LocalRows.@Nullable Found find(BinaryRowData key, RowConverter converter) throws IOException {
        KeyedLayout present = layout;
        try {
            return find(present, key, converter);
        } catch (IOException | RuntimeException e) {
            // The file may have been deleted since the last refresh, because a newer snapshot does not need it.
            if (layout == present) {
                refreshForProbe(e);
            }
            try {
                return find(layout, key, converter);
            } catch (IOException | RuntimeException again) {
                again.addSuppressed(e);
                throw new IOException(
                        "Looking up a key in table " + table + " failed twice, the last time with: "
                                + Causes.rootMessage(again),
                        again);
            }
        }
    }

    private LocalRows.@Nullable Found find(KeyedLayout in, BinaryRowData key, RowConverter converter)
            throws IOException {
        return in.find(converter.toEngine(key), file -> {
            LocalRows rows = local.acquireIfPresent(file.name());
            if (rows == null) {
                rows = local.acquire(file.name(), target -> copy(file, target, () -> {}, unused -> {}));
            }
            try {
                return rows.find(key, keys.layoutOfPrimaryKey(), nanoClock.getAsLong());
            } finally {
                rows.release();
            }
        });
    }

    private LocalRows copy(SortedFile file, File target, Runnable progress, KeySink keysRead) throws IOException {
        // Not the thread's own converter, whose key is the one that is looked for.
        RowConverter converter = new RowConverter(keys);
        try (LocalRows.Writer writer =
                new LocalRows.Writer(target, keys.rowType().getFieldCount(), file.rows())) {
            try {
                read(file, converter, progress, (key, row, found) -> {
                    keysRead.accept(key);
                    writer.add(key, row, found);
                });
                return writer.finish();
            } catch (IOException | RuntimeException | Error e) {
                writer.discard();
                throw e;
            }
        }
    }

    private interface KeySink {
        /** @param key reused */
        void accept(BinaryRowData key);
    }

    private interface RowReader {
        /** @param key and row reused */
        void accept(BinaryRowData key, BinaryRowData row, boolean found) throws IOException;
    }

    private void read(SortedFile file, RowConverter converter, Runnable progress, RowReader reader) throws IOException {
        int[] count = {0};
        files.read(file, (row, found) -> {
            if (++count[0] % ROWS_BETWEEN_PROGRESS == 0) {
                progress.run();
            }
            BinaryRowData binary = converter.binary(row);
            BinaryRowData key = converter.primaryKeyOfRow(binary);
            if (key == null) {
                throw new IOException("A row of table " + table + " has a NULL in its primary key.");
            }
            reader.accept(key, binary, found);
        });
    }

    private void refreshForProbe(Exception why) throws IOException {
        try {
            if (!refreshing.tryLock(SECONDS_FOR_REFRESH, TimeUnit.SECONDS)) {
                throw new IOException(
                        "Looking up a key in table " + table + " failed, and the refresh that might help takes more"
                                + " than " + SECONDS_FOR_REFRESH + " seconds: " + Causes.rootMessage(why),
                        why);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while looking up a key in table " + table + ".", e);
        }
        try {
            RefreshWatch watch = lastWatch;
            if (watch != null) {
                refresh(watch);
            }
        } catch (RuntimeException e) {
            e.addSuppressed(why);
            throw new IOException(
                    "Looking up a key in table " + table + " failed, and so did the refresh that might help: "
                            + Causes.rootMessage(e),
                    e);
        } finally {
            refreshing.unlock();
        }
    }

    @Override
    public void refresh(RefreshWatch watch) throws IOException {
        lastWatch = watch;
        refreshing.lock();
        try {
            for (KeyedFiles.Change change = files.next(); change != null; change = files.next()) {
                watch.found(change.snapshotId(), change.commitMillis());
                follow(change, watch::progress);
                watch.followed(change.snapshotId(), change.commitMillis());
            }
            local.retain(layout.names());
        } finally {
            refreshing.unlock();
        }
    }

    private void follow(KeyedFiles.Change change, Runnable progress) throws IOException {
        Evictions evictions = new Evictions(cache == null || !evicts ? 0 : cache.rows());
        if (change.whole()) {
            evictions.all();
        } else {
            for (SortedFile file : change.written()) {
                prepare(file, change.layout(), evictions, progress);
            }
            for (SortedFile file : change.moved()) {
                if (layout.namesOf(file.slice()).stream().anyMatch(local::has) && !local.has(file.name())) {
                    copyAhead(file, progress, unused -> {});
                }
            }
        }
        layout = change.layout();
        files.followed(change);
        if (cache != null && evicts) {
            cache.beginGeneration();
            evictions.from(cache);
        }
    }

    /** Learns a new file's keys, and copies it if probes will ask for it. */
    private void prepare(SortedFile file, KeyedLayout next, Evictions evictions, Runnable progress) throws IOException {
        boolean wanted = next.namesOf(file.slice()).contains(file.name())
                && layout.namesOf(file.slice()).stream().anyMatch(local::has);
        try {
            if (local.has(file.name())) {
                evictions.all();
            } else if (wanted) {
                evictions.reserve(file.rows());
                copyAhead(file, progress, evictions::add);
            } else if (evictions.reserve(file.rows())) {
                read(file, new RowConverter(keys), progress, (key, row, found) -> evictions.add(key));
            }
        } catch (IOException | RuntimeException e) {
            if (next.namesOf(file.slice()).contains(file.name())) {
                throw e;
            }
            // Compacted since, and perhaps deleted: nobody will read it, but which keys it had is not known.
            evictions.all();
        }
    }

    private void copyAhead(SortedFile file, Runnable progress, KeySink keysRead) throws IOException {
        local.acquire(file.name(), target -> copy(file, target, progress, keysRead))
                .release();
    }

    @Override
    public boolean answersFromMemory() {
        return false;
    }

    @Override
    public boolean isFixed() {
        return false;
    }

    @Override
    public ViewSize size() {
        return cache == null ? new ViewSize(0, 0) : new ViewSize(cache.rows(), cache.bytes());
    }

    @Override
    public void close() {
        local.close();
        if (cache != null) {
            cache.clear();
        }
    }
}
