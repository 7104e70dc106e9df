/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.paimon.CoreOptions;
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

    SliceReader(StoreTable table, RowSelection selection) {
        this.store = table.fileStore();
        this.selection = selection;
    }

    /** What the statement's own time travel options choose. */
    List<Split> plan() {
        return filtered(store.newScan()).plan().splits();
    }

    /** The rows of one snapshot; of all slices if none are given. */
    List<Split> plan(long snapshotId, @Nullable Set<Slice> slices) {
        InnerTableScan scan = filtered(at(snapshotId).newScan());
        if (slices == null) {
            return scan.plan().splits();
        }
        scan.withPartitionFilter(
                slices.stream().map(Slice::partition).distinct().toList());
        return scan.plan().splits().stream()
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
