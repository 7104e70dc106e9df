/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.KeyValue;
import org.apache.paimon.KeyValueFileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.KeyValueFileReaderFactory;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/**
 * Follows the sorted files of a primary-key table and reads them one by one, for a search that looks for a key in the
 * newest file first. One thread follows; any number may read files and search the layouts.
 */
public final class KeyedFiles {

    private final FileStoreTable store;
    private final RowSelection selection;
    private final SnapshotTrail trail;
    private final int[] keyPositions;
    private KeyedLayout layout;
    private SnapshotTrail.@Nullable Step pending;

    /**
     * What happened since the last change that was followed.
     *
     * @param snapshotId the snapshot reached; 0 for a table without any
     * @param commitMillis when that snapshot was committed, since the epoch
     * @param whole whether every key may have changed; the lists below are empty then
     * @param written files with the keys that changed
     * @param moved files that hold, after a compaction, what others held before
     * @param layout which files there are now
     */
    public record Change(
            long snapshotId,
            long commitMillis,
            boolean whole,
            List<SortedFile> written,
            List<SortedFile> moved,
            KeyedLayout layout) {}

    /** Takes one row or deletion at a time; the row is reused, so what is kept must be copied. */
    @FunctionalInterface
    public interface RowSink {
        /** @param found false for a deletion, and for a row that no filter lets through; its key columns are set */
        void accept(InternalRow row, boolean found) throws IOException;
    }

    private KeyedFiles(StoreTable table, RowSelection selection, List<Integer> keyColumns) {
        this.store = table.fileStore();
        this.selection = selection;
        this.trail = new SnapshotTrail(table, selection.columns());
        List<String> names = table.rowType().getFieldNames();
        List<String> keyNames = keyColumns.stream().map(names::get).toList();
        this.keyPositions =
                table.primaryKeys().stream().mapToInt(keyNames::indexOf).toArray();
        this.layout = KeyedLayout.empty(store, keyPositions);
    }

    /**
     * Whether a search by these columns finds exactly what a batch read would: it takes the first row it meets, so it is
     * right only where rows replace each other whole and in order of writing.
     *
     * @param keyColumns positions in the table's row type
     * @param projection positions in the table's row type
     */
    public static boolean isExact(StoreTable table, List<Integer> keyColumns, int[] projection) {
        return whyNot(table, keyColumns, projection) == null;
    }

    /** @return why a search by key in the files would not be exact, to go on "since …"; null if it is */
    public static @Nullable String whyNot(StoreTable table, List<Integer> keyColumns, int[] projection) {
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            return "the table has no primary key";
        }
        Set<String> keys = new HashSet<>();
        keyColumns.forEach(column -> keys.add(table.rowType().getFieldNames().get(column)));
        if (!keys.containsAll(table.primaryKeys())) {
            return "the join key lacks a column of the primary key";
        }
        for (int column : projection) {
            DataType type = table.rowType().getTypeAt(column);
            if (type.is(DataTypeRoot.BLOB) || type.is(DataTypeRoot.VARIANT)) {
                return "column '" + table.rowType().getFieldNames().get(column) + "' has type " + type;
            }
        }
        for (String primaryKey : table.primaryKeys()) {
            DataType type = table.rowType().getField(primaryKey).type();
            // Buckets are chosen by bytes, which differ for 0.0 and -0.0.
            if (type.is(DataTypeRoot.FLOAT) || type.is(DataTypeRoot.DOUBLE)) {
                return "the primary key has a floating-point column";
            }
        }
        FileStoreTable store = table.fileStore();
        if (store.bucketMode() != BucketMode.HASH_FIXED || !table.primaryKeys().containsAll(table.partitionKeys())) {
            return "a key does not tell its bucket (bucket mode " + store.bucketMode() + ")";
        }
        return replacesRowsWhole(store.coreOptions()) ? null : "its options make rows differ from what files hold";
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
     * @param projection positions in the table's row type of the columns of a read row, in its order
     * @param filters over positions in the table's row type; a row for which one does not hold counts as deleted
     * @param keyColumns positions in the table's row type of the key's columns, in the order that searches give them
     */
    public static KeyedFiles open(
            StoreTable table, int[] projection, List<Predicate> filters, List<Integer> keyColumns) {
        String reason = whyNot(table, keyColumns, projection);
        if (reason != null) {
            throw new IllegalArgumentException(
                    "Rows of table " + table.name() + " cannot be found by key alone, since " + reason + ".");
        }
        return new KeyedFiles(table, new RowSelection(table, projection, filters), keyColumns);
    }

    /** The layout that was followed last; of an empty table before the first. */
    public KeyedLayout layout() {
        return layout;
    }

    /**
     * Plans; nothing changes by it.
     *
     * @return null if the table has no newer snapshot
     */
    public @Nullable Change next() throws IOException {
        SnapshotTrail.Step step = trail.next();
        pending = step;
        if (step == null) {
            return null;
        }
        Snapshot latest = step.latest();
        if (latest == null) {
            return new Change(0, 0, true, List.of(), List.of(), load(null));
        }
        if (step.from() == null || overwrites(step.since())) {
            return new Change(latest.id(), latest.timeMillis(), true, List.of(), List.of(), load(latest));
        }
        List<IncrementalSplit> changes = new ArrayList<>();
        List<SortedFile> written = new ArrayList<>();
        Map<String, SortedFile> moved = new HashMap<>();
        for (Snapshot snapshot : step.since()) {
            boolean compaction = snapshot.commitKind() == Snapshot.CommitKind.COMPACT;
            for (Split split : store.newSnapshotReader()
                    .dropStats()
                    .withSnapshot(snapshot)
                    .readChanges()
                    .splits()) {
                IncrementalSplit change = (IncrementalSplit) split;
                changes.add(change);
                change.beforeFiles().forEach(file -> moved.remove(file.fileName()));
                for (DataFileMeta file : change.afterFiles()) {
                    SortedFile added = new SortedFile(new Slice(change.partition(), change.bucket()), file);
                    if (!compaction) {
                        written.add(added);
                    } else {
                        moved.put(added.name(), added);
                    }
                }
            }
        }
        return new Change(
                latest.id(), latest.timeMillis(), false, written, List.copyOf(moved.values()), layout.with(changes));
    }

    /** Searches may use the change's layout from now on, and the next change starts there. */
    public void followed(Change change) {
        SnapshotTrail.Step step = pending;
        if (step == null) {
            throw new IllegalStateException("Snapshot " + change.snapshotId() + " was not the last one handed out.");
        }
        layout = change.layout();
        trail.followed(step);
        pending = null;
    }

    /** An overwrite may change the number of buckets. */
    private static boolean overwrites(List<Snapshot> snapshots) {
        return snapshots.stream().anyMatch(snapshot -> snapshot.commitKind() == Snapshot.CommitKind.OVERWRITE);
    }

    private KeyedLayout load(@Nullable Snapshot snapshot) {
        List<DataSplit> splits = snapshot == null
                ? List.of()
                : store.newSnapshotReader()
                        .dropStats()
                        .withSnapshot(snapshot)
                        .read()
                        .dataSplits();
        return KeyedLayout.of(store, keyPositions, splits);
    }

    /** Reads a whole file in the order of its keys. Safe for several threads. */
    public void read(SortedFile file, RowSink sink) throws IOException {
        KeyValueFileReaderFactory.Builder builder = ((KeyValueFileStore) store.store()).newReaderFactoryBuilder();
        builder.withReadValueType(store.rowType().project(selection.columns()));
        KeyValueFileReaderFactory factory =
                builder.build(file.slice().partition(), file.slice().bucket(), DeletionVector.emptyFactory());
        ProjectedRow narrowing = selection.newNarrowing();
        try (RecordReader<KeyValue> reader = factory.createRecordReader(file.meta())) {
            for (RecordReader.RecordIterator<KeyValue> batch = reader.readBatch();
                    batch != null;
                    batch = reader.readBatch()) {
                for (KeyValue entry = batch.next(); entry != null; entry = batch.next()) {
                    InternalRow row = entry.value();
                    boolean found = !entry.valueKind().isRetract() && selection.wants(row);
                    sink.accept(narrowing == null ? row : narrowing.replaceRow(row), found);
                }
                batch.releaseBatch();
            }
        }
    }
}
