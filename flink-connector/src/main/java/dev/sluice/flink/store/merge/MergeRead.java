/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.KeyValueFileStore;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.mergetree.SortedRun;
import org.apache.paimon.mergetree.compact.ConcatRecordReader;
import org.apache.paimon.mergetree.compact.IntervalPartition;
import org.apache.paimon.operation.MergeFileSplitRead;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.KeyValueTableRead;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FieldsComparator;
import org.apache.paimon.utils.UserDefinedSeqComparator;
import org.jspecify.annotations.Nullable;

/** Reads splits of a primary-key table whose files must be merged. Used by one thread. */
public final class MergeRead {

    private final FileStoreTable table;
    private final KeyValueFileStore store;
    private final RowType keyType;
    private final RowType valueType;
    private final Comparator<InternalRow> keys;
    private final KeyOrder order;
    private final int mostRuns;

    /** Of sections with several runs, from which only rows that fail by their key may be left out before they are merged. */
    private final RunFiles overlapping;

    private final RunFiles alone;

    /** For sections that are not columns, or of more runs than are read at once. */
    private final MergeFileSplitRead engine;

    private MergeRead(
            FileStoreTable table,
            KeyValueFileStore store,
            RowType readType,
            List<Predicate> filters,
            IOManager spilling) {
        this.table = table;
        this.store = store;
        this.engine = store.newRead().withReadType(readType).withIOManager(spilling);
        if (!filters.isEmpty()) {
            engine.withFilter(PredicateBuilder.and(filters));
        }
        this.keyType = store.newReaderFactoryBuilder().keyType();
        this.valueType = engine.adjustReadType(readType);
        this.keys = store.newKeyComparator();
        this.order = new KeyOrder(keyType, keys);
        this.mostRuns = table.coreOptions().sortSpillThreshold();
        List<Predicate> all = filters.stream()
                .flatMap(filter -> PredicateBuilder.splitAnd(filter).stream())
                .toList();
        Set<String> beside = new HashSet<>(table.schema().fieldNames());
        table.schema().trimmedPrimaryKeys().forEach(beside::remove);
        this.alone = new RunFiles(table, keyType, valueType, all);
        this.overlapping = new RunFiles(
                table,
                keyType,
                valueType,
                all.stream()
                        .filter(filter -> !PredicateBuilder.containsFields(filter, beside))
                        .toList());
    }

    /**
     * @param readType the columns that are read
     * @param filters rows for which they do not hold may be left out
     * @param spilling for merges of more runs than are read at once; not closed here
     * @return empty if the table's rows are made of several in a merge, not chosen
     */
    public static Optional<MergeRead> of(
            FileStoreTable table, RowType readType, List<Predicate> filters, IOManager spilling) {
        CoreOptions options = table.coreOptions();
        boolean chosen = options.mergeEngine() == CoreOptions.MergeEngine.DEDUPLICATE
                && !options.ignoreDelete()
                && !options.snapshotSequenceOrdering();
        return chosen && table.store() instanceof KeyValueFileStore store
                ? Optional.of(new MergeRead(table, store, readType, filters, spilling))
                : Optional.empty();
    }

    /** Whether a split is one that {@link #open} reads: of others the engine knows more. */
    public static boolean isMerged(Split split) {
        return split.getClass() == DataSplit.class && isMerged((DataSplit) split);
    }

    private static boolean isMerged(DataSplit split) {
        return !split.isStreaming()
                && !split.rawConvertible()
                && split.bucket() != BucketMode.POSTPONE_BUCKET
                && split.deletionFiles()
                        .map(files -> files.stream().allMatch(Objects::isNull))
                        .orElse(true);
    }

    /** The split's rows in the order of their keys, without those that are deleted. */
    public RecordReader<InternalRow> open(DataSplit split) throws IOException {
        DataFilePathFactory paths = store.pathFactory().createDataFilePathFactory(split.partition(), split.bucket());
        List<ReaderSupplier<InternalRow>> sections = new ArrayList<>();
        for (List<SortedRun> section : new IntervalPartition(split.dataFiles(), keys).partition()) {
            sections.add(() -> open(split, paths, section));
        }
        return ConcatRecordReader.create(sections);
    }

    private RecordReader<InternalRow> open(DataSplit split, DataFilePathFactory paths, List<SortedRun> section)
            throws IOException {
        RunFiles files = section.size() > 1 ? overlapping : alone;
        List<DataFileMeta> all =
                section.stream().flatMap(run -> run.files().stream()).toList();
        if (section.size() <= mostRuns && all.stream().allMatch(files::areColumns)) {
            SortedRunColumns[] runs = section.stream()
                    .map(run -> columns(split, paths, files, run))
                    .toArray(SortedRunColumns[]::new);
            try {
                return SectionMerge.open(runs, order, latest(), keyType.getFieldCount(), valueType.getFieldCount());
            } catch (NotColumnsException e) {
                // Nothing has come out yet, and the engine reads whatever rows there are.
                return merged(split, all);
            }
        }
        return merged(split, all);
    }

    private SortedRunColumns columns(DataSplit split, DataFilePathFactory paths, RunFiles files, SortedRun run) {
        List<SortedRunColumns.File> ofRun = run.files().stream()
                .<SortedRunColumns.File>map(file -> () -> files.open(split.partition(), paths, file))
                .toList();
        return new SortedRunColumns(ofRun, order, keyType.getFieldCount(), valueType.getFieldCount());
    }

    private @Nullable FieldsComparator latest() {
        return UserDefinedSeqComparator.create(valueType, table.coreOptions());
    }

    private RecordReader<InternalRow> merged(DataSplit split, List<DataFileMeta> files) throws IOException {
        return KeyValueTableRead.unwrap(
                engine.createMergeReader(split.partition(), split.bucket(), files, null, false),
                table.schema().options());
    }
}
