/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.Slice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/** Rows in {@link Pages}, found by join key and remembered by slice. Changed by one thread while any number read. */
final class RowTable {

    private final Pages pages;
    private final KeyIndex index;
    private final Spill spill;
    private final KeyEncoder keyOf;
    private final int arity;

    // Below: the changing thread only.
    private final Map<Slice, SliceRows> slices = new HashMap<>();
    private final BinaryRowData reused;
    private @Nullable Slice lastSlice;
    private SliceRows lastRows = new SliceRows();

    /** Read by metrics too, for which a value that is a little old will do. */
    private long rows;

    private long sliceBytes;

    /** @param keyOf used by the changing thread alone */
    RowTable(Pages pages, KeyIndex index, Spill spill, KeyEncoder keyOf, int arity) {
        this.spill = spill;
        this.pages = pages;
        this.index = index;
        this.keyOf = keyOf;
        this.arity = arity;
        this.reused = new BinaryRowData(arity);
    }

    Collection<RowData> get(BinaryRowData key) {
        int address = index.find(key, key.hashCode());
        if (address == KeyIndex.NOTHING) {
            return List.of();
        }
        if (!Pages.isLink(address)) {
            return List.of(pages.row(address));
        }
        List<RowData> found = new ArrayList<>();
        while (Pages.isLink(address)) {
            found.add(pages.row(pages.rowOfLink(address)));
            address = pages.restOfLink(address);
        }
        found.add(pages.row(address));
        return found;
    }

    /** Adds a row for all to see at once; for a table that nobody reads yet. Rows without a key match no probe. */
    void load(Slice slice, BinaryRowData row) throws IOException {
        BinaryRowData key = keyOf.encode(row);
        if (key == null) {
            return;
        }
        int hash = key.hashCode();
        int address = pages.append(row);
        int others = index.find(key, hash);
        index.set(key, hash, others == KeyIndex.NOTHING ? address : pages.link(address, others));
        remember(rowsOf(slice), address);
        rows++;
    }

    private SliceRows rowsOf(Slice slice) {
        if (!slice.equals(lastSlice)) {
            lastRows = slices.computeIfAbsent(slice, unused -> new SliceRows());
            lastSlice = slice;
        }
        return lastRows;
    }

    private void remember(SliceRows ofSlice, int address) {
        int grown = ofSlice.add(address);
        if (grown > 0) {
            sliceBytes += grown;
            spill.took(grown);
        }
    }

    boolean hasKey(BinaryRowData row) {
        return keyOf.encode(row) != null;
    }

    SliceDiff diff(Slice slice) {
        SliceRows before = slices.get(slice);
        return new SliceDiff(pages, before == null ? new SliceRows() : before, arity);
    }

    /** Puts a row into the pages where no probe finds it yet. */
    int append(BinaryRowData row) throws IOException {
        return pages.append(row);
    }

    /** Gives up rows that were appended for a change which is not to be shown. */
    void drop(Map<Slice, SliceDiff> rewritten, Map<Slice, Addresses> gained) {
        rewritten.values().forEach(diff -> drop(diff.added()));
        gained.values().forEach(this::drop);
    }

    private void drop(Addresses rows) {
        for (int i = 0; i < rows.size(); i++) {
            pages.drop(rows.get(i));
        }
    }

    /**
     * Shows what changed, a key at a time, so that no probe sees half of a key's change.
     *
     * @param rewritten all rows of slices that were read anew
     * @param gained rows on top of those a slice has
     */
    void apply(Map<Slice, SliceDiff> rewritten, Map<Slice, Addresses> gained) throws IOException {
        Map<BinaryRowData, KeyChange> changes = new HashMap<>();
        rewritten.values().forEach(diff -> {
            collect(diff.added(), changes, true);
            collect(diff.removed(), changes, false);
        });
        gained.values().forEach(added -> collect(added, changes, true));
        for (Map.Entry<BinaryRowData, KeyChange> change : changes.entrySet()) {
            apply(change.getKey(), change.getValue());
        }
        rewritten.forEach((slice, diff) -> {
            if (diff.after().size() == 0) {
                slices.remove(slice);
            } else {
                slices.put(slice, diff.after());
            }
        });
        gained.forEach((slice, added) -> {
            SliceRows ofSlice = slices.computeIfAbsent(slice, unused -> new SliceRows());
            for (int i = 0; i < added.size(); i++) {
                ofSlice.add(added.get(i));
            }
        });
        lastSlice = null;
        rows = slices.values().stream().mapToLong(SliceRows::size).sum();
        long bytes = slices.values().stream().mapToLong(SliceRows::bytes).sum();
        spill.took(bytes - sliceBytes);
        sliceBytes = bytes;
    }

    private void collect(Addresses addresses, Map<BinaryRowData, KeyChange> changes, boolean added) {
        for (int i = 0; i < addresses.size(); i++) {
            BinaryRowData key = keyOf.encode(pages.pointTo(addresses.get(i), reused));
            if (key == null) {
                throw new IllegalStateException("A row without a join key reached the view.");
            }
            KeyChange change = changes.get(key);
            if (change == null) {
                change = new KeyChange();
                changes.put(key.copy(), change);
            }
            (added ? change.added : change.removed).add(addresses.get(i));
        }
    }

    private void apply(BinaryRowData key, KeyChange change) throws IOException {
        int hash = key.hashCode();
        int address = index.find(key, hash);
        if (change.removed.size() > 0) {
            address = without(change.removed, address);
        }
        for (int i = 0; i < change.added.size(); i++) {
            int row = change.added.get(i);
            address = address == KeyIndex.NOTHING ? row : pages.link(row, address);
        }
        index.set(key, hash, address);
    }

    /** Builds another list, since someone may be reading the present one. */
    private int without(Addresses removed, int list) throws IOException {
        removed.sort();
        int kept = KeyIndex.NOTHING;
        int rest = list;
        while (rest != KeyIndex.NOTHING) {
            int row = Pages.isLink(rest) ? pages.rowOfLink(rest) : rest;
            int next = Pages.isLink(rest) ? pages.restOfLink(rest) : KeyIndex.NOTHING;
            boolean gone = removed.containsSorted(row);
            if (gone) {
                pages.drop(row);
            } else {
                kept = kept == KeyIndex.NOTHING ? row : pages.link(row, kept);
            }
            if (Pages.isLink(rest)) {
                pages.drop(rest);
            }
            rest = next;
        }
        return kept;
    }

    /** Whether more than half of the bytes belong to rows that are gone. */
    boolean isWorthCopying() {
        return pages.deadBytes() > Math.max(pages.bytes() / 2, 32L * Pages.PAGE_BYTES);
    }

    /** @param empty another table, which nobody reads yet */
    void copyTo(RowTable empty, Runnable progress) throws IOException {
        for (Map.Entry<Slice, SliceRows> slice : slices.entrySet()) {
            for (SliceRows.Cursor rows = slice.getValue().cursor(); rows.hasNext(); ) {
                empty.load(slice.getKey(), pages.pointTo(rows.next(), reused));
            }
            progress.run();
        }
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return pages.bytes() + index.bytes() + sliceBytes;
    }

    private static final class KeyChange {
        private final Addresses added = new Addresses();
        private final Addresses removed = new Addresses();
    }
}
