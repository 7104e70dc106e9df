/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.util.Arrays;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.column.Encoding;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.page.PageWriter;
import org.apache.paimon.shade.org.apache.parquet.column.statistics.Statistics;

/** Bits, the first value in the lowest. */
final class BooleanColumn extends Column {

    private static final int FIRST_BYTES = 64;

    private byte[] bits = new byte[FIRST_BYTES];

    BooleanColumn(ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page) {
        super(descriptor, properties, page);
    }

    @Override
    void append(InternalRow row, int field) {
        int place = values / Byte.SIZE;
        if (place == bits.length) {
            bits = Arrays.copyOf(bits, 2 * place);
        }
        if (row.getBoolean(field)) {
            bits[place] |= (byte) (1 << values % Byte.SIZE);
        }
    }

    @Override
    long rawBytes() {
        return (values + Byte.SIZE - 1L) / Byte.SIZE;
    }

    @Override
    Encoding encode(PageBytes page, Statistics<?> statistics) {
        int length = (int) rawBytes();
        page.write(bits, 0, length);
        int trues = 0;
        for (int i = 0; i < length; i++) {
            trues += Integer.bitCount(bits[i] & 0xFF);
        }
        if (trues > 0) {
            statistics.updateStats(true);
        }
        if (trues < values) {
            statistics.updateStats(false);
        }
        Arrays.fill(bits, 0, length, (byte) 0);
        return Encoding.PLAIN;
    }

    @Override
    long unencodedBytes() {
        return 0;
    }

    @Override
    void endChunk(PageWriter pages) {}
}
