/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

/** Where values are in a batch's columns, and which rows they become. Used by one thread. */
final class Places {

    private int[] indexes = {};
    private int[] rows = {};
    private int count;

    int count() {
        return count;
    }

    /** Of each value, in the columns. */
    int[] indexes() {
        return indexes;
    }

    /** Of each value, in {@link RowBytes}. */
    int[] rows() {
        return rows;
    }

    /** Forgets all, and makes room for so many. */
    void clear(int most) {
        if (indexes.length < most) {
            indexes = new int[most];
            rows = new int[most];
        }
        count = 0;
    }

    void add(int index, int row) {
        indexes[count] = index;
        rows[count] = row;
        count++;
    }

    /** Leaves out the rows from {@code end} on, which were added last. */
    void cut(int end) {
        while (count > 0 && rows[count - 1] >= end) {
            count--;
        }
    }
}
