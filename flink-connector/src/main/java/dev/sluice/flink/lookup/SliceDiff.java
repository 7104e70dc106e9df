/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.BitSet;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * Compares the rows that a slice is read with anew with those it had, as bags of equal bytes, so that only rows that
 * differ cost memory and work. Used by one thread, once.
 */
final class SliceDiff {

    private final Pages pages;

    /** Addresses of the rows it had, by the hash of the row; 0 for none. */
    private final int[] table;

    /** Positions in the table of rows that it still has. */
    private final BitSet met;

    private final SliceRows after = new SliceRows();
    private final Addresses added = new Addresses();
    private final BinaryRowData reused;

    /** Where the last search for a hash ended: equal rows often come together, and passing them all would be slow. */
    private int lastHash;

    private int lastSlot = -1;

    SliceDiff(Pages pages, SliceRows before, int arity) {
        this.pages = pages;
        this.reused = new BinaryRowData(arity);
        this.met = new BitSet();
        this.table = new int[Math.max(4, Integer.highestOneBit(Math.max(1, before.size())) * 4)];
        for (SliceRows.Cursor rows = before.cursor(); rows.hasNext(); ) {
            int address = rows.next();
            int slot = start(pages.pointTo(address, reused).hashCode());
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = address;
            lastSlot = slot;
        }
        lastSlot = -1;
    }

    private int start(int hash) {
        int start = lastSlot >= 0 && hash == lastHash ? lastSlot : (hash ^ (hash >>> 16)) & (table.length - 1);
        lastHash = hash;
        return start;
    }

    /** @return the address of the row, where the slice has it already or where it was appended */
    int add(BinaryRowData row) throws IOException {
        for (int slot = start(row.hashCode()); table[slot] != 0; slot = (slot + 1) & (table.length - 1)) {
            if (!met.get(slot) && row.equals(pages.pointTo(table[slot], reused))) {
                met.set(slot);
                lastSlot = slot;
                after.add(table[slot]);
                return table[slot];
            }
        }
        lastSlot = -1;
        int address = pages.append(row);
        after.add(address);
        added.add(address);
        return address;
    }

    /** All rows of the slice now. */
    SliceRows after() {
        return after;
    }

    /** Those of them it did not have. */
    Addresses added() {
        return added;
    }

    /** Those it had and has no more. */
    Addresses removed() {
        Addresses removed = new Addresses();
        for (int slot = met.nextClearBit(0); slot < table.length; slot = met.nextClearBit(slot + 1)) {
            if (table[slot] != 0) {
                removed.add(table[slot]);
            }
        }
        return removed;
    }
}
