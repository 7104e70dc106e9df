/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/**
 * Finds one row of a table by its whole primary key, in the table's sorted files, of which it keeps local copies of
 * those that were asked for. Any number of threads may look up while one refreshes.
 */
public final class PointLookup implements AutoCloseable {

    private final FileStoreTable store;
    private final RowSelection selection;
    private final int[] keyPositions;
    private final SnapshotTrail trail;
    private final IOManager localFiles;
    private final int concurrency;

    /** Read by lookups, written to put another query into the place of the one below. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private @Nullable BucketQuery query;

    private PointLookup(
            StoreTable table, RowSelection selection, List<Integer> keyColumns, IOManager localFiles, int concurrency) {
        this.concurrency = concurrency;
        this.store = table.fileStore();
        this.selection = selection;
        this.trail = new SnapshotTrail(table, selection.columns());
        this.localFiles = localFiles;
        List<String> names = table.rowType().getFieldNames();
        List<String> keyNames = keyColumns.stream().map(names::get).toList();
        this.keyPositions =
                table.primaryKeys().stream().mapToInt(keyNames::indexOf).toArray();
    }

    /**
     * Whether a lookup by these columns finds exactly what a batch read would: it looks at the newest file first and
     * takes the first row it meets, so it is right only where rows replace each other whole and in order of writing.
     *
     * @param keyColumns positions in the table's row type
     * @param projection positions in the table's row type
     */
    public static boolean isExact(StoreTable table, List<Integer> keyColumns, int[] projection) {
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            return false;
        }
        Set<String> keys = new HashSet<>();
        keyColumns.forEach(column -> keys.add(table.rowType().getFieldNames().get(column)));
        for (int column : projection) {
            if (!isStorable(table.rowType().getTypeAt(column))) {
                return false;
            }
        }
        for (String primaryKey : table.primaryKeys()) {
            DataType type = table.rowType().getField(primaryKey).type();
            // Files are searched by bytes, which differ for 0.0 and -0.0.
            if (type.is(DataTypeRoot.FLOAT) || type.is(DataTypeRoot.DOUBLE)) {
                return false;
            }
        }
        FileStoreTable store = table.fileStore();
        return keys.containsAll(table.primaryKeys())
                && table.primaryKeys().containsAll(table.partitionKeys())
                && store.bucketMode() == BucketMode.HASH_FIXED
                && replacesRowsWhole(store.coreOptions());
    }

    private static boolean isStorable(DataType type) {
        return !type.is(DataTypeRoot.BLOB) && !type.is(DataTypeRoot.VARIANT);
    }

    private static boolean replacesRowsWhole(CoreOptions options) {
        return options.mergeEngine() == CoreOptions.MergeEngine.DEDUPLICATE
                && options.sequenceField().isEmpty()
                && !options.snapshotSequenceOrdering()
                && !options.ignoreDelete()
                && !options.needLookup()
                && !options.deletionVectorsEnabled()
                && !options.queryAuthEnabled()
                && options.recordLevelExpireTime() == null
                && options.startupMode() == CoreOptions.StartupMode.LATEST_FULL;
    }

    /**
     * @param projection positions in the table's row type of the columns of a found row, in its order
     * @param filters over positions in the table's row type; a row for which one does not hold is not found
     * @param keyColumns positions in the table's row type of the key's columns, in the order that lookups give them
     * @param folder where a folder for local copies of files is made, deleted on close
     * @param concurrency the most lookups that go on at once, as far as their keys are in different buckets; the others
     *     wait. Positive
     */
    public static PointLookup open(
            StoreTable table,
            int[] projection,
            List<Predicate> filters,
            List<Integer> keyColumns,
            String folder,
            int concurrency) {
        if (!isExact(table, keyColumns, projection)) {
            throw new IllegalArgumentException("Rows of table " + table.name() + " cannot be found by key alone.");
        }
        RowSelection selection = new RowSelection(table, projection, filters);
        return new PointLookup(table, selection, keyColumns, IOManager.create(folder), concurrency);
    }

    /** Moves to the newest snapshot. After a failure lookups answer as of one of the snapshots on the way. */
    public synchronized void refresh() throws IOException {
        for (SnapshotTrail.Step step = trail.next(); step != null; step = trail.next()) {
            BucketQuery present = query;
            if (present == null || step.from() == null || overwrites(step.since())) {
                replaceQuery(step.latest());
            } else {
                // All is planned before anything shows: planning is what can fail.
                List<Split> changes = new ArrayList<>();
                for (Snapshot snapshot : step.since()) {
                    changes.addAll(store.newSnapshotReader()
                            .dropStats()
                            .withSnapshot(snapshot)
                            .readChanges()
                            .splits());
                }
                changes.forEach(change -> present.apply((IncrementalSplit) change));
            }
            trail.followed(step);
        }
    }

    /** An overwrite may change the number of buckets. */
    private static boolean overwrites(List<Snapshot> snapshots) {
        return snapshots.stream().anyMatch(snapshot -> snapshot.commitKind() == Snapshot.CommitKind.OVERWRITE);
    }

    private void replaceQuery(@Nullable Snapshot snapshot) throws IOException {
        BucketQuery fresh = new BucketQuery(store, selection.columns(), localFiles, concurrency);
        if (snapshot != null) {
            store.newSnapshotReader()
                    .dropStats()
                    .withSnapshot(snapshot)
                    .read()
                    .dataSplits()
                    .forEach(fresh::load);
        }
        BucketQuery old = query;
        lock.writeLock().lock();
        try {
            query = fresh;
        } finally {
            lock.writeLock().unlock();
        }
        if (old != null) {
            old.close();
        }
    }

    /**
     * @param key the key's columns in the order given at opening, none NULL
     * @return the row, not reused; null if there is none
     */
    public @Nullable InternalRow get(InternalRow key) throws IOException {
        InternalRow row;
        lock.readLock().lock();
        try {
            if (query == null) {
                throw new IllegalStateException("Lookup before the first refresh or after close.");
            }
            row = query.find(ProjectedRow.from(keyPositions).replaceRow(key));
        } finally {
            lock.readLock().unlock();
        }
        if (row == null || !selection.wants(row)) {
            return null;
        }
        ProjectedRow narrowing = selection.newNarrowing();
        return narrowing == null ? row : narrowing.replaceRow(row);
    }

    @Override
    public synchronized void close() throws IOException {
        lock.writeLock().lock();
        try {
            if (query != null) {
                query.close();
                query = null;
            }
        } finally {
            lock.writeLock().unlock();
        }
        try {
            localFiles.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Deleting local copies of files failed: " + e.getMessage(), e);
        }
    }
}
