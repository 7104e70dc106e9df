/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import org.apache.paimon.format.FileFormatFactory.FormatContext;
import org.apache.paimon.format.FormatWriterFactory;
import org.apache.paimon.format.parquet.ParquetFileFormat;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.paimon.types.RowType;

/** Reads as the engine does; writes rows of flat columns its own way, and all others as the engine does. */
final class ColumnarParquetFormat extends ParquetFileFormat {

    private static final String ZSTD_LEVEL = "parquet.compression.codec.zstd.level";

    private final FormatContext context;

    ColumnarParquetFormat(FormatContext context) {
        super(context);
        this.context = context;
    }

    @Override
    public FormatWriterFactory createWriterFactory(RowType type) {
        ParquetSettings settings = ParquetSettings.of(options());
        return ColumnKind.allFlat(type) && settings.plain()
                ? new ColumnarWriterFactory(type, settings)
                : super.createWriterFactory(type);
    }

    /** What the engine makes of a table's options for its own writer. */
    private Options options() {
        Options options = getIdentifierPrefixOptions(context.options());
        if (!options.containsKey(ZSTD_LEVEL)) {
            options.set(ZSTD_LEVEL, String.valueOf(context.zstdLevel()));
        }
        MemorySize rowGroup = context.blockSize();
        if (rowGroup != null) {
            options.set(ParquetOutputFormat.BLOCK_SIZE, String.valueOf(rowGroup.getBytes()));
        }
        return options;
    }
}
