/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import org.apache.paimon.shade.org.apache.parquet.bytes.BytesUtils;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/**
 * The different values of a column chunk, numbered in the order in which they came. It is given up for the rest of the
 * chunk when it gets too big, or when it makes the chunk's first page no smaller: the rules of Parquet's own writer.
 */
abstract class Dictionary {

    /** In bytes. */
    private final int limit;
    /** Values that have a number. */
    int size;
    /** Values with a number that a page has been written with. */
    private int used;

    private boolean firstPage = true;
    private boolean open = true;

    Dictionary(int limit) {
        this.limit = limit;
    }

    /** Bytes of the dictionary's page. */
    abstract long bytes();

    /** Forgets all values behind the first ones, and gives back what it takes to number more. */
    abstract void keep(int first);

    /** Forgets all values and is ready for others. */
    abstract void clear();

    final boolean open() {
        return open;
    }

    final boolean full() {
        return bytes() > limit;
    }

    /**
     * Writes a page whose values have all got numbers, or not if the dictionary became {@link #full} on the way.
     *
     * @param ids of the page's values, as many as there are; not kept, because all columns of all open files would
     * @param rawBytes what the page takes without a dictionary
     * @return false if nothing was written and the page must do without
     */
    final boolean write(PageBytes page, int[] ids, long rawBytes, ParquetProperties properties) throws IOException {
        open = !full();
        if (open) {
            int start = page.size();
            writeIds(page, ids, properties);
            if (firstPage && page.size() - start + bytes() >= rawBytes) {
                page.truncate(start);
                open = false;
            } else {
                used = size;
            }
        }
        firstPage = false;
        if (!open) {
            keep(used);
            size = used;
        }
        return open;
    }

    private void writeIds(PageBytes page, int[] ids, ParquetProperties properties) throws IOException {
        int width = BytesUtils.getWidthFromMaxInt(Math.max(0, size - 1));
        page.write(width);
        try (RunLengthBitPackingHybridEncoder encoder = new RunLengthBitPackingHybridEncoder(
                width,
                (int) Math.max(64, (long) ids.length * width / Byte.SIZE),
                properties.getPageSizeThreshold(),
                properties.getAllocator())) {
            for (int id : ids) {
                encoder.writeInt(id);
            }
            page.put(encoder.toBytes());
        }
    }

    /** How many of the values, from the first on, the chunk's pages need. */
    final int used() {
        return used;
    }

    /** For the next chunk. */
    final void reset() {
        clear();
        size = 0;
        used = 0;
        firstPage = true;
        open = true;
    }
}
