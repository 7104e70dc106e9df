/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.InnerTableScan;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/**
 * Plans and reads some columns of the rows that match a filter. The filter is pushed into the engine, which may use it
 * to skip files, and tested again on every merged row, because the engine does not promise to use it fully.
 */
final class SliceReader {

    private final FileStoreTable store;
    private final int[] columns;
    private final int projected;
    private final @Nullable Predicate filter;
    private final @Nullable Predicate rowFilter;

    /**
     * @param projection positions in the table's row type of the columns handed out
     * @param filters over positions in the table's row type; all must hold
     */
    SliceReader(StoreTable table, int[] projection, List<Predicate> filters) {
        this.store = table.fileStore();
        this.projected = projection.length;
        this.filter = filters.isEmpty() ? null : PredicateBuilder.and(filters);
        this.columns = withFilterColumns(table.rowType(), projection, filter);
        this.rowFilter = filter == null ? null : onReadRow(table, filter, columns);
    }

    /** Positions in the table's row type of all columns read: those handed out, then those only filtered by. */
    int[] columns() {
        return columns.clone();
    }

    private static int[] withFilterColumns(RowType type, int[] projection, @Nullable Predicate filter) {
        Set<Integer> columns = new LinkedHashSet<>();
        IntStream.of(projection).forEach(columns::add);
        if (filter != null) {
            PredicateVisitor.collectFieldNames(filter).forEach(name -> columns.add(type.getFieldIndex(name)));
        }
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Predicate onReadRow(StoreTable table, Predicate filter, int[] columns) {
        int[] readPositions = new int[table.rowType().getFieldCount()];
        Arrays.fill(readPositions, -1);
        for (int position = 0; position < columns.length; position++) {
            readPositions[columns[position]] = position;
        }
        return PredicateBuilder.transformFieldMapping(filter, readPositions)
                .orElseThrow(() -> new IllegalArgumentException("Filter " + filter + " on table " + table.name()
                        + " cannot be tested on a row; filter after the join instead."));
    }

    /** What the statement's own time travel options choose. */
    List<Split> plan() {
        return filtered(store.newScan()).plan().splits();
    }

    /** The rows of one snapshot, merged as a batch read merges them; of all slices if none are given. */
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
        read.withReadType(store.rowType().project(columns));
        if (filter != null) {
            read.withFilter(filter);
        }
        boolean narrower = projected < columns.length;
        ProjectedRow narrow = ProjectedRow.from(IntStream.range(0, projected).toArray());
        for (Split split : splits) {
            Slice slice = sliceOf(split);
            forEach(read.createReader(split), row -> {
                if (rowFilter == null || rowFilter.test(row)) {
                    sink.accept(slice, narrower ? narrow.replaceRow(row) : row);
                }
            });
        }
    }

    private static void forEach(RecordReader<InternalRow> reader, java.util.function.Consumer<InternalRow> rows)
            throws IOException {
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
