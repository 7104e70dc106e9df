/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import dev.sluice.flink.store.merge.MergeRead;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;
import org.jspecify.annotations.Nullable;

/** Opens splits for reading, one after the other. Used by one thread; owns the folders that large merges spill to. */
public final class SplitOpener implements AutoCloseable {

    private final StoreTable table;
    private final ReadSpec spec;
    private final ReadLayout layout;
    private final @Nullable Predicate rowFilter;
    private final IOManager spilling;
    private final TableRead read;
    private final Optional<MergeRead> merge;
    private long committedSnapshot = SplitOrigin.NO_SNAPSHOT;
    private OptionalLong committedMillis = OptionalLong.empty();

    /** @param spillFolders local folders for merges that outgrow memory, at least one */
    public SplitOpener(StoreTable table, ReadSpec spec, String[] spillFolders) {
        this.table = table;
        this.spec = spec;
        this.layout = ReadLayout.of(table, spec);
        this.rowFilter = layout.rowFilter();
        this.spilling = IOManager.create(spillFolders);
        this.read = Reads.read(table, spec, layout).withIOManager(spilling);
        this.merge = table.kind() == StoreTable.Kind.PRIMARY_KEY && !spec.changes() && !layout.sequenceBesideRow()
                ? MergeRead.of(table.fileStore(), layout.engineType(), spec.filters(), spilling)
                : Optional.empty();
    }

    public ReadLayout layout() {
        return layout;
    }

    /**
     * The split's rows with their row kinds; of some {@link #wants} says no. Row objects are reused: a row is valid until
     * the next one of its batch is taken, a batch until the next one is read.
     *
     * @throws ReadException if the split's files cannot be read
     */
    public RecordReader<InternalRow> open(Split split) {
        try {
            if (layout.sequenceBesideRow() && split instanceof IncrementalSplit between && !between.isStreaming()) {
                throw new IOException("the difference between two snapshots has no sequence numbers; leave the metadata"
                        + " column '" + MetadataColumn.SEQUENCE_NUMBER.key() + "' out");
            }
            return merge.isPresent() && MergeRead.isMerged(split)
                    ? merge.get().open((DataSplit) split)
                    : read.createReader(split);
        } catch (IOException | RuntimeException e) {
            throw failed(split, e);
        }
    }

    /** Whether {@link #wants} says yes to every row. */
    public boolean wantsAll() {
        return rowFilter == null && !layout.sequenceBesideRow();
    }

    /** Whether the row of this split is one that the read is for. */
    public boolean wants(Split split, InternalRow row) {
        return (rowFilter == null || rowFilter.test(row)) && (!layout.sequenceBesideRow() || !deleted(split, row));
    }

    /** Reading sequence numbers, the engine keeps rows that it would have left out. */
    private boolean deleted(Split split, InternalRow row) {
        boolean change = spec.changes() || (split instanceof DataSplit data && data.isStreaming());
        return !change && row.getRowKind().isRetract();
    }

    /** @throws ReadException if the table's metadata cannot be read */
    public SplitMetadata metadata(Split split) {
        try {
            return SplitMetadata.of(table, split);
        } catch (RuntimeException e) {
            throw failed(split, e);
        }
    }

    /**
     * When the snapshot of new data was committed, in milliseconds since 1970-01-01 UTC; empty for the table's content
     * before it was followed, and if the snapshot has expired.
     */
    public OptionalLong committedMillis(Split split) {
        if (!(split instanceof DataSplit data) || !data.isStreaming()) {
            return OptionalLong.empty();
        }
        if (data.snapshotId() != committedSnapshot) {
            committedSnapshot = data.snapshotId();
            Long millis = metadata(split).commitMillis();
            committedMillis = millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
        }
        return committedMillis;
    }

    /** The message for a failure while the split's rows were read. */
    public ReadException failed(Split split, Exception cause) {
        return ReadException.reading(table, split, cause);
    }

    @Override
    public void close() throws Exception {
        spilling.close();
    }
}
