/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/** Plans and reads selected rows, merged as a batch read merges them. */
final class SliceReader {

    private final FileStoreTable store;
    private final RowSelection selection;
    private final @Nullable BucketShare share;

    /** @param share the buckets to plan; null for all */
    SliceReader(StoreTable table, RowSelection selection, @Nullable BucketShare share) {
        this.store = table.fileStore();
        this.selection = selection;
        this.share = share;
    }

    /** What the statement's own time travel options choose. */
    List<Split> plan(@Nullable Set<BinaryRow> partitions) {
        return plan(filtered(store.newScan()), partitions);
    }

    private List<Split> plan(InnerTableScan scan, @Nullable Set<BinaryRow> partitions) {
        if (partitions != null) {
            if (partitions.isEmpty()) {
                return List.of();
            }
            scan.withPartitionFilter(List.copyOf(partitions));
        }
        return scan.plan().splits().stream().filter(this::isShared).toList();
    }

    boolean isShared(Split split) {
        return share == null || share.needs(split);
    }

    /** The rows of all slices at one snapshot; of all partitions if none are given. */
    List<Split> planAll(long snapshotId, @Nullable Set<BinaryRow> partitions) {
        return plan(filtered(at(snapshotId).newScan()), partitions);
    }

    /** The rows of some slices at one snapshot. */
    List<Split> plan(long snapshotId, Set<Slice> slices) {
        Set<BinaryRow> partitions = slices.stream().map(Slice::partition).collect(Collectors.toSet());
        return plan(filtered(at(snapshotId).newScan()), partitions).stream()
                .filter(split -> slices.contains(sliceOf(split)))
                .toList();
    }

    private InnerTableScan filtered(InnerTableScan scan) {
        Predicate filter = selection.filter();
        return filter == null ? scan : scan.withFilter(filter);
    }

    /** The schema stays that of the statement, so that rows have the same columns at every snapshot. */
    private FileStoreTable at(long snapshotId) {
        Map<String, String> options = new HashMap<>();
        options.put(CoreOptions.SCAN_MODE.key(), null);
        options.put(CoreOptions.SCAN_SNAPSHOT_ID.key(), Long.toString(snapshotId));
        // Splits found through an index do not tell their bucket.
        options.put(CoreOptions.GLOBAL_INDEX_ENABLED.key(), "false");
        return store.copyWithoutTimeTravel(options);
    }

    static Slice sliceOf(Split split) {
        return split instanceof DataSplit data ? new Slice(data.partition(), data.bucket()) : Slice.UNDIVIDED;
    }

    void read(List<Split> splits, TableChange.RowSink sink) throws IOException {
        InnerTableRead read = store.newRead();
        read.withReadType(store.rowType().project(selection.columns()));
        Predicate filter = selection.filter();
        if (filter != null) {
            read.withFilter(filter);
        }
        ProjectedRow narrowing = selection.newNarrowing();
        for (Split split : splits) {
            Slice slice = sliceOf(split);
            forEach(read.createReader(split), row -> {
                if (selection.wants(row)) {
                    sink.accept(slice, narrowing == null ? row : narrowing.replaceRow(row));
                }
            });
        }
    }

    private static void forEach(RecordReader<InternalRow> reader, Consumer<InternalRow> rows) throws IOException {
        try (RecordReaderIterator<InternalRow> iterator = new RecordReaderIterator<>(reader)) {
            while (iterator.hasNext()) {
                InternalRow row = iterator.next();
                if (!row.getRowKind().isRetract()) {
                    rows.accept(row);
                }
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Closing a reader failed: " + e.getMessage(), e);
        }
    }
}
