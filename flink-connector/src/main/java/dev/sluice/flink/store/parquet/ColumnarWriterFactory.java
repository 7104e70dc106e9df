/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.FormatWriterFactory;
import org.apache.paimon.format.parquet.writer.StreamOutputFile;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.types.RowType;

/** Opens writers of one row type. */
final class ColumnarWriterFactory implements FormatWriterFactory {

    private final RowType type;
    private final ParquetSettings settings;

    ColumnarWriterFactory(RowType type, ParquetSettings settings) {
        this.type = type;
        this.settings = settings;
    }

    @Override
    public FormatWriter create(PositionOutputStream out, String compression) throws IOException {
        return ColumnarWriter.open(type, settings, settings.codec(compression), new StreamOutputFile(out));
    }
}
