/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;

/** Numbers by value, in a hash table with open addresses. */
final class NumberDictionary extends Dictionary {

    private static final int FIRST_SLOTS = 512;
    /** 2^64 over the golden ratio: spreads numbers that follow each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int width;
    /** By id. */
    private long[] numbers = new long[FIRST_SLOTS / 2];

    private long[] slotNumbers = new long[FIRST_SLOTS];
    /** An id and one; 0: free. */
    private int[] slotIds = new int[FIRST_SLOTS];

    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_SLOTS);

    /** @param width bytes of a number in the file */
    NumberDictionary(int width, int limit) {
        super(limit);
        this.width = width;
    }

    /** @return false if nothing was written and the page must do without */
    boolean write(long[] values, int count, PageBytes page, ParquetProperties properties) throws IOException {
        if (!open()) {
            return false;
        }
        int[] ids = new int[count];
        for (int i = 0; i < count && !full(); i++) {
            ids[i] = i > 0 && values[i] == values[i - 1] ? ids[i - 1] : id(values[i]);
        }
        return write(page, ids, (long) count * width, properties);
    }

    private int id(long number) {
        int slot = (int) ((number * SPREAD) >>> shift);
        int mask = slotIds.length - 1;
        while (slotIds[slot] != 0) {
            if (slotNumbers[slot] == number) {
                return slotIds[slot] - 1;
            }
            slot = (slot + 1) & mask;
        }
        if (size == numbers.length) {
            grow();
            return id(number);
        }
        numbers[size] = number;
        slotNumbers[slot] = number;
        slotIds[slot] = size + 1;
        return size++;
    }

    private void grow() {
        numbers = Arrays.copyOf(numbers, 2 * size);
        int slots = 2 * slotIds.length;
        shift--;
        slotNumbers = new long[slots];
        slotIds = new int[slots];
        for (int id = 0; id < size; id++) {
            int slot = (int) ((numbers[id] * SPREAD) >>> shift);
            while (slotIds[slot] != 0) {
                slot = (slot + 1) & (slots - 1);
            }
            slotNumbers[slot] = numbers[id];
            slotIds[slot] = id + 1;
        }
    }

    /** By id; more than there are. */
    long[] numbers() {
        return numbers;
    }

    @Override
    long bytes() {
        return (long) size * width;
    }

    @Override
    void keep(int first) {
        numbers = Arrays.copyOf(numbers, first);
        slotNumbers = new long[0];
        slotIds = new int[0];
    }

    @Override
    void clear() {
        if (open()) {
            Arrays.fill(slotIds, 0);
        } else {
            allocate();
        }
    }

    private void allocate() {
        numbers = new long[FIRST_SLOTS / 2];
        slotNumbers = new long[FIRST_SLOTS];
        slotIds = new int[FIRST_SLOTS];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_SLOTS);
    }
}
