/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.TableChange;
import dev.sluice.flink.store.TableChanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/** Holds all matching rows of a table, by join key. Right for every kind of table and every join key. */
final class MemoryView implements LookupView {

    /** For a bound that nothing exceeds. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    private static final int ROWS_BETWEEN_PROGRESS = 1024;

    private final TableChanges changes;
    private final boolean fixed;
    private final String table;
    private final RowType rowType;
    private final List<Integer> keys;
    private final KeyLayout layout;
    private final long loadBytes;
    private final Supplier<Spill> spills;
    private final boolean waitsForPartitions;
    private final int loadThreads;

    /** What probes see; replaced where all of it changes at once. */
    private volatile RowTable rows;

    // Below: written by the refreshing thread only, and read by those that load for it.
    private final EngineToFlinkRow toFlink = new EngineToFlinkRow();
    private final RowDataSerializer serializer;
    private boolean loaded;
    private int rowsRead;

    /**
     * @param fixed whether the changes end with the first
     * @param rowType of the rows that probes get
     * @param keys positions of the join key's columns in such a row
     * @param loadBytes the most memory that the first load may take before it fails
     * @param spills where the pages of a table that is built go when they are full
     * @param waitsForPartitions whether probes wait while another choice of partitions is loaded
     * @param loadThreads how many threads load the table
     */
    MemoryView(
            TableChanges changes,
            boolean fixed,
            String table,
            RowType rowType,
            List<Integer> keys,
            long loadBytes,
            Supplier<Spill> spills,
            boolean waitsForPartitions,
            int loadThreads) {
        this.changes = changes;
        this.fixed = fixed;
        this.table = table;
        this.rowType = rowType;
        this.keys = keys;
        this.layout = new KeyLayout(rowType.getChildren(), keys);
        this.loadBytes = loadBytes;
        this.spills = spills;
        this.waitsForPartitions = waitsForPartitions;
        this.loadThreads = loadThreads;
        this.serializer = new RowDataSerializer(rowType);
        this.rows = newTable();
    }

    private RowTable newTable() {
        int arity = rowType.getFieldCount();
        Spill spill = spills.get();
        Pages pages = new Pages(table, arity, spill);
        return new RowTable(
                pages,
                new KeyIndex(table, pages, layout, spill),
                spill,
                new KeyEncoder(rowType.getChildren(), keys),
                arity);
    }

    @Override
    public Collection<RowData> get(BinaryRowData key) {
        return rows.get(key);
    }

    @Override
    public Collection<RowData> getIfCached(BinaryRowData key) {
        return rows.get(key);
    }

    @Override
    public void refresh(RefreshWatch watch) throws IOException {
        for (TableChange change = changes.next(); change != null; change = changes.next()) {
            watch.found(change.snapshotId(), change.commitMillis());
            if (change.otherPartitions() && waitsForPartitions) {
                watch.holdProbes();
            }
            apply(change, watch);
            changes.followed(change);
            watch.followed(change.snapshotId(), change.commitMillis());
            loaded = true;
        }
        if (rows.isWorthCopying()) {
            RowTable copy = newTable();
            rows.copyTo(copy, watch::progress);
            rows = copy;
        }
    }

    /** Reading comes before the first step that shows, so that a failure to read leaves the view where it was. */
    private void apply(TableChange change, RefreshWatch watch) throws IOException {
        if (change.whole()) {
            RowTable fresh = newTable();
            load(change, watch, fresh);
            rows = fresh;
            return;
        }
        RowTable present = rows;
        Map<Slice, SliceDiff> rewritten = new HashMap<>();
        Map<Slice, Addresses> gained = new HashMap<>();
        Set<Slice> slices = new HashSet<>(change.rewritten());
        try {
            read(change, watch, (slice, row) -> {
                if (!present.hasKey(row)) {
                    return;
                }
                if (slices.contains(slice)) {
                    rewritten.computeIfAbsent(slice, present::diff).add(row);
                } else {
                    gained.computeIfAbsent(slice, unused -> new Addresses()).add(present.append(row));
                }
            });
        } catch (IOException | RuntimeException e) {
            present.drop(rewritten, gained);
            throw e;
        }
        slices.forEach(slice -> rewritten.computeIfAbsent(slice, present::diff));
        changes.begun(change);
        present.apply(rewritten, gained);
    }

    private void load(TableChange change, RefreshWatch watch, RowTable fresh) throws IOException {
        ParallelLoad.read(change.rows().parts(), loadThreads, table, () -> new Loader(watch, fresh));
    }

    /** Makes rows of one part ready on a thread of its own, and puts them into the table by turns with the others. */
    private final class Loader implements ParallelLoad.Sink {

        private final RefreshWatch watch;
        private final RowTable fresh;
        private final EngineToFlinkRow ownToFlink = new EngineToFlinkRow();
        private final RowDataSerializer ownSerializer = new RowDataSerializer(rowType);
        private final RowBatch batch = new RowBatch(rowType.getFieldCount());

        /** Of the rows in the batch; null before the first. */
        private @Nullable Slice slice;

        private Loader(RefreshWatch watch, RowTable fresh) {
            this.watch = watch;
            this.fresh = fresh;
        }

        @Override
        public void accept(Slice sliceOfRow, InternalRow row) {
            try {
                if (batch.isFull() || !sliceOfRow.equals(slice)) {
                    end();
                    slice = sliceOfRow;
                }
                batch.add(binary(ownSerializer, ownToFlink, row));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void end() throws IOException {
            Slice ofBatch = slice;
            if (ofBatch == null) {
                return;
            }
            synchronized (fresh) {
                for (int i = 0; i < batch.size(); i++) {
                    fresh.load(ofBatch, batch.get(i));
                }
                if (!loaded && fresh.bytes() > loadBytes) {
                    throw new ViewTooLargeException(table, loadBytes);
                }
            }
            batch.clear();
            watch.progress();
        }
    }

    private interface RowReader {
        /** @param row reused */
        void accept(Slice slice, BinaryRowData row) throws IOException;
    }

    private void read(TableChange change, RefreshWatch watch, RowReader reader) throws IOException {
        try {
            change.rows().read((slice, row) -> {
                if (++rowsRead % ROWS_BETWEEN_PROGRESS == 0) {
                    watch.progress();
                }
                try {
                    reader.accept(slice, binary(serializer, toFlink, row));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static BinaryRowData binary(RowDataSerializer serializer, EngineToFlinkRow toFlink, InternalRow row) {
        BinaryRowData binary = serializer.toBinaryRow(toFlink.convert(row));
        // The engine hands out merged rows as updates; to a join they are all the same.
        binary.setRowKind(RowKind.INSERT);
        return binary;
    }

    @Override
    public boolean answersFromMemory() {
        return true;
    }

    @Override
    public boolean isFixed() {
        return fixed;
    }

    @Override
    public ViewSize size() {
        RowTable present = rows;
        return new ViewSize(present.rows(), present.bytes());
    }

    @Override
    public void close() {
        rows = newTable();
    }
}
