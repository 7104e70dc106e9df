/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.shade.org.apache.parquet.bytes.BytesInput;
import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.column.Encoding;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.page.PageWriteStore;
import org.apache.paimon.shade.org.apache.parquet.column.page.PageWriter;
import org.apache.paimon.shade.org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.paimon.shade.org.apache.parquet.column.statistics.Statistics;
import org.apache.paimon.shade.org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.jspecify.annotations.Nullable;

/**
 * One column of a file: gathers the values of a page and encodes them when it is full, as a data page of version 1. A
 * subclass knows the values. For one thread at a time.
 *
 * @see <a href="https://parquet.apache.org/docs/file-format/data-pages/encodings/">Parquet: encodings</a>
 */
abstract class Column {

    /** Later versions of the format have other names; readers of all versions know these. */
    @SuppressWarnings("deprecation")
    static final Encoding BY_DICTIONARY = Encoding.PLAIN_DICTIONARY;

    /** How Parquet's own writer names levels of which there are none. */
    @SuppressWarnings("deprecation")
    private static final Encoding NO_LEVELS = Encoding.BIT_PACKED;

    private static final int FIRST_CAPACITY = 256;
    /** Of equal levels; less are packed as bits. */
    private static final int SHORTEST_RUN = 8;

    final ColumnDescriptor descriptor;
    final ParquetProperties properties;
    private final PageBytes page;
    private final boolean nullable;
    /** 1 where a row has a value; holds nothing while all rows of the page have one. */
    private byte[] levels = new byte[0];

    /** Of the page; values and nulls. */
    private int rows;
    /** Of the page. */
    int values;

    private @Nullable PageWriter pages;

    /** @param page where pages are made, of this column and others in turn */
    Column(ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page) {
        this.descriptor = descriptor;
        this.page = page;
        this.properties = properties;
        this.nullable = descriptor.getMaxDefinitionLevel() > 0;
    }

    /** Appends the field's value, which is not null, to the page. */
    abstract void append(InternalRow row, int field);

    /** Bytes of the page's values as they are. */
    abstract long rawBytes();

    /** Encodes the page's values behind what the page holds already, and forgets them. */
    abstract Encoding encode(PageBytes page, Statistics<?> statistics) throws IOException;

    /** What {@code SizeStatistics} counts of the page: bytes of values that have no fixed length. */
    abstract long unencodedBytes();

    /** Writes the dictionary, if pages of the row group have used one. */
    abstract void endChunk(PageWriter pages) throws IOException;

    final void startRowGroup(PageWriteStore store) {
        pages = store.getPageWriter(descriptor);
    }

    final void add(InternalRow row, int field) throws IOException {
        if (row.isNullAt(field)) {
            addNull();
        } else {
            if (values != rows) {
                level(1);
            }
            append(row, field);
            values++;
        }
        rows++;
        if (rows >= properties.getPageRowCountLimit() || rawBytes() >= properties.getPageSizeThreshold()) {
            endPage();
        }
    }

    private void addNull() {
        if (!nullable) {
            throw new IllegalArgumentException("Column " + String.join(".", descriptor.getPath())
                    + " is NOT NULL and a row has NULL in it. Nothing of"
                    + " this file is committed. With merge-engine partial-update or aggregation a merge can have made"
                    + " the NULL, out of a column that no row has set or a row that was taken back: declare the column"
                    + " nullable then.");
        }
        if (values == rows) {
            levels = levels.length > rows ? levels : new byte[Math.max(FIRST_CAPACITY, 2 * rows)];
            Arrays.fill(levels, 0, rows, (byte) 1);
        }
        level(0);
    }

    private void level(int level) {
        if (rows == levels.length) {
            levels = Arrays.copyOf(levels, 2 * rows);
        }
        levels[rows] = (byte) level;
    }

    private void endPage() throws IOException {
        page.start();
        if (nullable) {
            writeLevels(page);
        }
        Statistics<?> statistics = Statistics.createStats(descriptor.getPrimitiveType());
        statistics.incrementNumNulls(rows - values);
        long unencoded = unencodedBytes();
        Encoding encoding = encode(page, statistics);
        pages().writePage(
                        page.input(),
                        rows,
                        rows,
                        statistics,
                        new SizeStatistics(descriptor.getPrimitiveType(), unencoded, List.of(), List.of()),
                        null,
                        NO_LEVELS,
                        nullable ? Encoding.RLE : NO_LEVELS,
                        encoding);
        rows = 0;
        values = 0;
    }

    private void writeLevels(PageBytes page) throws IOException {
        if (values == rows && rows >= SHORTEST_RUN) {
            page.allDefined(rows);
            return;
        }
        try (RunLengthBitPackingHybridEncoder encoder = new RunLengthBitPackingHybridEncoder(
                1, FIRST_CAPACITY, properties.getPageSizeThreshold(), properties.getAllocator())) {
            for (int i = 0; i < rows; i++) {
                encoder.writeInt(values == rows ? 1 : levels[i]);
            }
            BytesInput bytes = encoder.toBytes();
            page.putInt((int) bytes.size());
            page.put(bytes);
        }
    }

    final void endRowGroup() throws IOException {
        if (rows > 0) {
            endPage();
        }
        endChunk(pages());
    }

    /** Without the dictionary, which the engine's writer does not count either when it ends row groups and files. */
    final long bytesHeld() {
        return pages().getMemSize() + rawBytes();
    }

    /** Emptied. */
    final PageBytes pageBytes() {
        page.start();
        return page;
    }

    private PageWriter pages() {
        if (pages == null) {
            throw new IllegalStateException("No row group has been started.");
        }
        return pages;
    }
}
