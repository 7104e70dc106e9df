/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FileFormatFactory;
import org.apache.paimon.format.parquet.ParquetFileFormatFactory;

/** Found by the engine through {@code META-INF/services} in place of its own factory for {@code parquet}. */
public final class ColumnarParquetFormatFactory implements FileFormatFactory {

    @Override
    public String identifier() {
        return ParquetFileFormatFactory.IDENTIFIER;
    }

    @Override
    public FileFormat create(FormatContext context) {
        return new ColumnarParquetFormat(context);
    }
}
