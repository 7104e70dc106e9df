/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * Rows as bytes, one behind the other, each at an address that never changes. One thread appends; others may read a row
 * once its address was handed to them with a release. What was appended is never written again, so rows that point into
 * the pages may be kept by anyone.
 *
 * <p>An address counts words of 8 bytes, so that 31 bits reach 16 GiB. Two kinds of record share the pages: a row (its
 * size and a flag, then its bytes) and a link (the address of a row and what comes after it), of which lists of rows with
 * one key are made. The address of a link is handed out with its sign bit set.
 */
final class Pages {

    private static final int PAGE_WORD_BITS = 15;

    /**
     * With the array's own header just under a power of two, and far under half of the smallest region of the G1
     * collector: larger arrays would each get regions of their own, which they fill by little more than half.
     */
    static final int PAGE_BYTES = (8 << PAGE_WORD_BITS) - 32;

    private static final int WORD_MASK = (1 << PAGE_WORD_BITS) - 1;
    private static final int MOST_PAGES = 1 << (31 - PAGE_WORD_BITS);
    private static final int HEADER_BYTES = 8;

    private final String table;
    private final int arity;
    private final Spill spill;

    /** Each page alone in an array, which is what a row needs to point at it. Replaced by a longer copy. */
    private MemorySegment[][] pages = new MemorySegment[16][];

    // Below: the appending thread only.
    private int count;
    private int nextWord;
    private long bytes;
    private long deadBytes;

    /** @param arity how many columns the rows have */
    Pages(String table, int arity, Spill spill) {
        this.table = table;
        this.arity = arity;
        this.spill = spill;
    }

    /** @return the row's address, positive */
    int append(BinaryRowData row) throws IOException {
        int size = row.getSizeInBytes();
        int address = allocate(HEADER_BYTES + roundedUp(size));
        MemorySegment page = pages[address >>> PAGE_WORD_BITS][0];
        int offset = offset(address);
        page.putInt(offset, size);
        page.putInt(offset + 4, 0);
        if (row.getSegments().length == 1) {
            row.getSegments()[0].copyTo(row.getOffset(), page, offset + HEADER_BYTES, size);
        } else {
            BinaryRowData whole = row.copy();
            whole.getSegments()[0].copyTo(whole.getOffset(), page, offset + HEADER_BYTES, size);
        }
        return address;
    }

    /**
     * Puts a row in front of others.
     *
     * @param row a row's address
     * @param rest a row's or a link's address
     * @return a link's address, negative
     */
    int link(int row, int rest) throws IOException {
        int address = allocate(HEADER_BYTES);
        MemorySegment page = pages[address >>> PAGE_WORD_BITS][0];
        page.putInt(offset(address), row);
        page.putInt(offset(address) + 4, rest);
        return address | Integer.MIN_VALUE;
    }

    private int allocate(int size) throws IOException {
        int words = size >>> 3;
        if (count == 0 || nextWord + words > PAGE_BYTES >>> 3) {
            addPage(Math.max(size + HEADER_BYTES, PAGE_BYTES));
        }
        int address = ((count - 1) << PAGE_WORD_BITS) | nextWord;
        nextWord += words;
        return address;
    }

    private void addPage(int size) throws IOException {
        if (count == MOST_PAGES) {
            throw new IOException("Table " + table + " has more than " + (((long) MOST_PAGES * PAGE_BYTES) >> 30)
                    + " GiB of rows to hold for a lookup join. Select fewer columns, filter the table, or join by its"
                    + " whole primary key with 'lookup.cache' = 'AUTO', which reads rows from files.");
        }
        if (count > 0) {
            MemorySegment[] stored = {spill.store(pages[count - 1][0])};
            // Readers take the old or the new one, but never a new one that is not filled yet.
            VarHandle.storeStoreFence();
            pages[count - 1] = stored;
        }
        MemorySegment page = MemorySegmentFactory.wrap(new byte[size]);
        bytes += size;
        MemorySegment[][] grown = count == pages.length ? Arrays.copyOf(pages, count * 2) : pages;
        grown[count] = new MemorySegment[] {page};
        pages = grown;
        count++;
        // Address 0 stands for nothing, so no record starts there.
        nextWord = count == 1 ? 1 : 0;
    }

    private static int offset(int address) {
        return (address & WORD_MASK) << 3;
    }

    private static int roundedUp(int size) {
        return (size + 7) & ~7;
    }

    static boolean isLink(int address) {
        return address < 0;
    }

    int rowOfLink(int link) {
        int address = link & Integer.MAX_VALUE;
        return pages[address >>> PAGE_WORD_BITS][0].getInt(offset(address));
    }

    int restOfLink(int link) {
        int address = link & Integer.MAX_VALUE;
        return pages[address >>> PAGE_WORD_BITS][0].getInt(offset(address) + 4);
    }

    MemorySegment pageOf(int address) {
        return pages[address >>> PAGE_WORD_BITS][0];
    }

    /** Where the row's own bytes begin in its page. */
    static int offsetOfRow(int address) {
        return offset(address) + HEADER_BYTES;
    }

    BinaryRowData row(int address) {
        return pointTo(address, new BinaryRowData(arity));
    }

    BinaryRowData pointTo(int address, BinaryRowData row) {
        MemorySegment[] page = pages[address >>> PAGE_WORD_BITS];
        int offset = offset(address);
        row.pointTo(page, offset + HEADER_BYTES, page[0].getInt(offset));
        return row;
    }

    /** Counts a row's or link's bytes as no longer needed. The appending thread only. */
    void drop(int address) {
        deadBytes += isLink(address)
                ? HEADER_BYTES
                : HEADER_BYTES + roundedUp(pages[address >>> PAGE_WORD_BITS][0].getInt(offset(address)));
    }

    long bytes() {
        return bytes;
    }

    long deadBytes() {
        return deadBytes;
    }
}
