/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.column.Encoding;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.page.DictionaryPage;
import org.apache.paimon.shade.org.apache.parquet.column.page.PageWriter;
import org.apache.paimon.shade.org.apache.parquet.column.statistics.Statistics;
import org.apache.paimon.shade.org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Values of four or eight bytes; floating point ones as their bits. */
final class NumberColumn extends Column {

    private static final int FIRST_CAPACITY = 256;

    /** Takes a value out of a row. */
    interface Reader {
        long read(InternalRow row, int field);
    }

    private final Reader reader;
    private final PrimitiveTypeName type;
    private final int width;
    private final @Nullable NumberDictionary dictionary;
    private long[] page = new long[FIRST_CAPACITY];

    NumberColumn(ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page, Reader reader) {
        super(descriptor, properties, page);
        this.reader = reader;
        this.type = descriptor.getPrimitiveType().getPrimitiveTypeName();
        this.width = type == PrimitiveTypeName.INT32 || type == PrimitiveTypeName.FLOAT ? Integer.BYTES : Long.BYTES;
        this.dictionary = properties.isDictionaryEnabled(descriptor)
                ? new NumberDictionary(width, properties.getDictionaryPageSizeThreshold())
                : null;
    }

    @Override
    void append(InternalRow row, int field) {
        if (values == page.length) {
            page = Arrays.copyOf(page, 2 * values);
        }
        page[values] = reader.read(row, field);
    }

    @Override
    long rawBytes() {
        return (long) values * width;
    }

    @Override
    Encoding encode(PageBytes bytes, Statistics<?> statistics) throws IOException {
        bound(statistics);
        if (dictionary != null && dictionary.write(page, values, bytes, properties)) {
            return BY_DICTIONARY;
        }
        put(bytes, page, values);
        return Encoding.PLAIN;
    }

    private void put(PageBytes bytes, long[] numbers, int count) {
        if (width == Integer.BYTES) {
            bytes.putInts(numbers, count);
        } else {
            bytes.putLongs(numbers, count);
        }
    }

    private void bound(Statistics<?> statistics) {
        switch (type) {
            case FLOAT -> {
                for (int i = 0; i < values; i++) {
                    statistics.updateStats(Float.intBitsToFloat((int) page[i]));
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < values; i++) {
                    statistics.updateStats(Double.longBitsToDouble(page[i]));
                }
            }
            default -> boundWhole(statistics);
        }
    }

    private void boundWhole(Statistics<?> statistics) {
        if (values == 0) {
            return;
        }
        long min = page[0];
        long max = page[0];
        for (int i = 1; i < values; i++) {
            min = Math.min(min, page[i]);
            max = Math.max(max, page[i]);
        }
        if (width == Integer.BYTES) {
            statistics.updateStats((int) min);
            statistics.updateStats((int) max);
        } else {
            statistics.updateStats(min);
            statistics.updateStats(max);
        }
    }

    @Override
    long unencodedBytes() {
        return 0;
    }

    @Override
    void endChunk(PageWriter pages) throws IOException {
        if (dictionary != null) {
            int used = dictionary.used();
            if (used > 0) {
                PageBytes bytes = pageBytes();
                put(bytes, dictionary.numbers(), used);
                pages.writeDictionaryPage(new DictionaryPage(bytes.input(), used, BY_DICTIONARY));
            }
            dictionary.reset();
        }
    }
}
