/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.column.Encoding;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.page.DictionaryPage;
import org.apache.paimon.shade.org.apache.parquet.column.page.PageWriter;
import org.apache.paimon.shade.org.apache.parquet.column.statistics.Statistics;
import org.apache.paimon.shade.org.apache.parquet.io.api.Binary;
import org.apache.paimon.shade.org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Strings, binaries, and decimals that fit no long, which are bytes of a fixed length. */
final class BytesColumn extends Column {

    /** Takes a value out of a row. */
    interface Reader {
        void read(InternalRow row, int field, ByteValues page);
    }

    private final Reader reader;
    private final boolean fixedLength;
    private final @Nullable BytesDictionary dictionary;
    private final ByteValues page = new ByteValues();

    BytesColumn(ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page, Reader reader) {
        super(descriptor, properties, page);
        this.reader = reader;
        this.fixedLength =
                descriptor.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        // Pages of version 1 have no dictionaries of bytes of a fixed length.
        this.dictionary = properties.isDictionaryEnabled(descriptor) && !fixedLength
                ? new BytesDictionary(properties.getDictionaryPageSizeThreshold())
                : null;
    }

    @Override
    void append(InternalRow row, int field) {
        reader.read(row, field, page);
    }

    @Override
    long rawBytes() {
        return page.plainBytes(fixedLength);
    }

    @Override
    long unencodedBytes() {
        return page.bytes();
    }

    @Override
    Encoding encode(PageBytes bytes, Statistics<?> statistics) throws IOException {
        Encoding encoding = Encoding.PLAIN;
        bound(statistics);
        if (dictionary != null && dictionary.write(page, bytes, properties)) {
            encoding = BY_DICTIONARY;
        } else {
            page.writePlain(bytes, page.count(), fixedLength);
        }
        page.clear();
        return encoding;
    }

    /** Bytes of a fixed length are signed numbers here and compare as such. */
    private void bound(Statistics<?> statistics) {
        if (fixedLength) {
            for (int i = 0; i < page.count(); i++) {
                statistics.updateStats(Binary.fromConstantByteArray(page.copy(i)));
            }
        } else if (page.count() > 0) {
            statistics.updateStats(Binary.fromConstantByteArray(page.copy(page.min())));
            statistics.updateStats(Binary.fromConstantByteArray(page.copy(page.max())));
        }
    }

    @Override
    void endChunk(PageWriter pages) throws IOException {
        if (dictionary != null) {
            int used = dictionary.used();
            if (used > 0) {
                PageBytes bytes = pageBytes();
                dictionary.entries().writePlain(bytes, used, false);
                pages.writeDictionaryPage(new DictionaryPage(bytes.input(), used, BY_DICTIONARY));
            }
            dictionary.reset();
        }
    }
}
