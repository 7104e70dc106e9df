/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.Arrays;

/** A growing list of row addresses. Used by one thread. */
final class Addresses {

    private int[] values = new int[4];
    private int size;

    void add(int address) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + Math.max(4, size >> 1));
        }
        values[size++] = address;
    }

    int get(int index) {
        return values[index];
    }

    int size() {
        return size;
    }

    void sort() {
        Arrays.sort(values, 0, size);
    }

    /** Only after {@link #sort}. */
    boolean containsSorted(int address) {
        return Arrays.binarySearch(values, 0, size, address) >= 0;
    }
}
