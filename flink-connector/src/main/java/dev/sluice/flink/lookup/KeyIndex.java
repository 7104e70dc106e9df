/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * Finds the address of the rows of a key: a hash table with open addressing in longs, each a key's hash and
 * an address in {@link Pages}. One thread changes it, a key at a time; any number read it without a lock and see of each
 * key what it had before or after a change.
 */
final class KeyIndex {

    /** Not found, or no rows: the one address where no record starts. */
    static final int NOTHING = 0;

    private static final int SMALLEST = 64;

    /** A slot whose key lost its rows. It does not end a search, as an empty one does. */
    private static final long GONE = 0xFFFF_FFFF_0000_0000L;

    private final Pages pages;
    private final KeyLayout layout;
    private final Spill spill;
    private final String table;

    /** Replaced by a larger copy; the old one is not changed any more. */
    private volatile Slots slots = Slots.inMemory(SMALLEST);

    // Below: the changing thread only.
    private int keys;
    private int taken;

    KeyIndex(String table, Pages pages, KeyLayout layout, Spill spill) {
        this.table = table;
        this.pages = pages;
        this.layout = layout;
        this.spill = spill;
        spill.took(slots.bytes());
    }

    /** @return the address of the key's row or of a link to its rows; {@link #NOTHING} if it has none */
    int find(BinaryRowData key, int hash) {
        Slots present = slots;
        int mask = present.count() - 1;
        for (int i = first(hash, mask); ; i = (i + 1) & mask) {
            long slot = present.get(i);
            if (slot == 0) {
                return NOTHING;
            }
            if (isKeyAt(slot, key, hash)) {
                return (int) slot;
            }
        }
    }

    private boolean isKeyAt(long slot, BinaryRowData key, int hash) {
        int address = (int) slot;
        if ((int) (slot >>> 32) != hash || address == NOTHING) {
            return false;
        }
        int row = Pages.isLink(address) ? pages.rowOfLink(address) : address;
        return layout.matches(key, pages.pageOf(row), Pages.offsetOfRow(row));
    }

    private static int first(int hash, int mask) {
        // The lower bits alone would not tell keys apart that differ in few bits.
        return (hash ^ (hash >>> 16)) & mask;
    }

    /** Sets what the key has. The changing thread only. */
    void set(BinaryRowData key, int hash, int address) throws IOException {
        Slots present = slots;
        int mask = present.count() - 1;
        int free = -1;
        for (int i = first(hash, mask); ; i = (i + 1) & mask) {
            long slot = present.get(i);
            if (slot == 0) {
                if (address != NOTHING) {
                    insert(present, free, i, hash, address);
                }
                return;
            }
            if (slot == GONE) {
                free = free < 0 ? i : free;
            } else if (isKeyAt(slot, key, hash)) {
                if (address == NOTHING) {
                    keys--;
                }
                present.set(i, address == NOTHING ? GONE : slot(hash, address));
                return;
            }
        }
    }

    private void insert(Slots present, int gone, int empty, int hash, int address) throws IOException {
        keys++;
        if (gone < 0) {
            taken++;
        }
        present.set(gone < 0 ? empty : gone, slot(hash, address));
        if (taken > present.count() / 8 * 5) {
            slots = copy(present);
            spill.released(present);
        }
    }

    private static long slot(int hash, int address) {
        return ((long) hash << 32) | (address & 0xFFFF_FFFFL);
    }

    private Slots copy(Slots old) throws IOException {
        int size = keys > old.count() / 4 ? old.count() * 2 : old.count();
        if (size > Slots.MOST) {
            throw new IOException("Table " + table + " has more than " + keys + " keys to hold for a lookup join."
                    + " Filter the table, or join by its whole primary key with 'lookup.cache' = 'AUTO', which reads"
                    + " rows from files.");
        }
        Slots copy = spill.slots(size);
        int mask = size - 1;
        for (int from = 0; from < old.count(); from++) {
            long slot = old.get(from);
            if (slot != 0 && slot != GONE) {
                int i = first((int) (slot >>> 32), mask);
                while (copy.get(i) != 0) {
                    i = (i + 1) & mask;
                }
                copy.set(i, slot);
            }
        }
        taken = keys;
        return copy;
    }

    int keys() {
        return keys;
    }

    long bytes() {
        return slots.bytes();
    }
}
