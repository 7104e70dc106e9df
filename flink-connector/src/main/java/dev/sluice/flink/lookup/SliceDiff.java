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
    private final Addresses before;

    /** Positions in the list above, plus one, by the hash of the row. */
    private final int[] table;

    private final BitSet met;
    private final Addresses after = new Addresses();
    private final Addresses added = new Addresses();
    private final BinaryRowData reused;

    /** Where the last search for a hash ended: equal rows often come together, and passing them all would be slow. */
    private int lastHash;

    private int lastSlot = -1;

    SliceDiff(Pages pages, Addresses before, int arity) {
        this.pages = pages;
        this.before = before;
        this.reused = new BinaryRowData(arity);
        this.met = new BitSet(before.size());
        this.table = new int[Math.max(4, Integer.highestOneBit(Math.max(1, before.size())) * 4)];
        for (int i = 0; i < before.size(); i++) {
            int slot = start(pages.pointTo(before.get(i), reused).hashCode());
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = i + 1;
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
            int position = table[slot] - 1;
            if (!met.get(position) && row.equals(pages.pointTo(before.get(position), reused))) {
                met.set(position);
                lastSlot = slot;
                after.add(before.get(position));
                return before.get(position);
            }
        }
        lastSlot = -1;
        int address = pages.append(row);
        after.add(address);
        added.add(address);
        return address;
    }

    /** All rows of the slice now. */
    Addresses after() {
        return after;
    }

    /** Those of them it did not have. */
    Addresses added() {
        return added;
    }

    /** Those it had and has no more. */
    Addresses removed() {
        Addresses removed = new Addresses();
        for (int i = met.nextClearBit(0); i < before.size(); i = met.nextClearBit(i + 1)) {
            removed.add(before.get(i));
        }
        return removed;
    }
}
