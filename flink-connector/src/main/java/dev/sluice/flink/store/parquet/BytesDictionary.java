/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;

/** Bytes by value, in a hash table with open addresses. */
final class BytesDictionary extends Dictionary {

    private static final int FIRST_SLOTS = 512;

    /** By id. */
    private final ByteValues entries = new ByteValues();
    /** By id. */
    private int[] hashes = new int[FIRST_SLOTS / 2];
    /** An id and one; 0: free. */
    private int[] slots = new int[FIRST_SLOTS];

    BytesDictionary(int limit) {
        super(limit);
    }

    /** @return false if nothing was written and the page must do without */
    boolean write(ByteValues values, PageBytes page, ParquetProperties properties) throws IOException {
        if (!open()) {
            return false;
        }
        int count = values.count();
        int[] ids = new int[count];
        for (int i = 0; i < count && !full(); i++) {
            ids[i] = id(values, i, values.hash(i));
        }
        return write(page, ids, values.plainBytes(false), properties);
    }

    private int id(ByteValues page, int value, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            int id = slots[slot] - 1;
            if (hashes[id] == hash && entries.equal(id, page, value)) {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        if (size == hashes.length) {
            grow();
            return id(page, value, hash);
        }
        entries.append(page, value);
        hashes[size] = hash;
        slots[slot] = size + 1;
        return size++;
    }

    private void grow() {
        hashes = Arrays.copyOf(hashes, 2 * size);
        slots = new int[2 * slots.length];
        int mask = slots.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = hashes[id] & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id + 1;
        }
    }

    /** By id. */
    ByteValues entries() {
        return entries;
    }

    @Override
    long bytes() {
        return entries.plainBytes(false);
    }

    @Override
    void keep(int first) {
        entries.keep(first);
        hashes = new int[0];
        slots = new int[0];
    }

    @Override
    void clear() {
        entries.clear();
        if (open()) {
            Arrays.fill(slots, 0);
        } else {
            hashes = new int[FIRST_SLOTS / 2];
            slots = new int[FIRST_SLOTS];
        }
    }
}
