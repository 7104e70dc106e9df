/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.io.IOException;
import java.util.Map;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.JoinedRow;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.parquet.ParquetSchemaConverter;
import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.paimon.shade.org.apache.parquet.hadoop.CodecFactory;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.paimon.shade.org.apache.parquet.io.OutputFile;
import org.apache.paimon.shade.org.apache.parquet.schema.MessageType;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Writes one file. Pages of a row group stay in memory, compressed, until it is full. For one thread at a time; the caller
 * closes the stream below.
 */
final class ColumnarWriter implements FormatWriter {

    /** Rows between two looks at how much a row group holds. */
    private static final int ROWS_BETWEEN_CHECKS = 128;

    private final ParquetFileWriter file;
    private final CodecFactory codecs;
    private final BytesInputCompressor compressor;
    private final MessageType schema;
    private final ParquetSettings settings;
    private final Column[] columns;

    private ColumnChunkPageWriteStore pages;
    private int rowGroups;
    /** Of the row group that is being filled. */
    private long rows;

    private long nextCheck;
    private long rowGroupLimit;
    private long bytesInFile;
    private boolean failed;
    private boolean closed;
    private @Nullable ParquetMetadata footer;

    private ColumnarWriter(
            ParquetFileWriter file,
            CodecFactory codecs,
            BytesInputCompressor compressor,
            MessageType schema,
            ParquetSettings settings,
            Column[] columns) {
        this.file = file;
        this.codecs = codecs;
        this.compressor = compressor;
        this.schema = schema;
        this.settings = settings;
        this.columns = columns;
        this.rowGroupLimit = settings.rowGroupSize();
        this.nextCheck = rowsBetweenChecks();
        this.pages = startRowGroup();
    }

    static ColumnarWriter open(RowType type, ParquetSettings settings, CompressionCodecName codec, OutputFile out)
            throws IOException {
        MessageType schema = ParquetSchemaConverter.convertToParquetMessageType(type);
        PageBytes page = new PageBytes();
        Column[] columns = new Column[type.getFieldCount()];
        for (int i = 0; i < columns.length; i++) {
            ColumnDescriptor descriptor = schema.getColumns().get(i);
            columns[i] = ColumnKind.column(type.getTypeAt(i), descriptor, settings.properties(), page);
        }
        ParquetFileWriter file = new ParquetFileWriter(
                out,
                schema,
                ParquetFileWriter.Mode.CREATE,
                settings.rowGroupSize(),
                settings.maxPadding(),
                null,
                settings.properties());
        file.start();
        CodecFactory codecs =
                new CodecFactory(settings.configuration(), settings.properties().getPageSizeThreshold());
        return new ColumnarWriter(file, codecs, codecs.getCompressor(codec), schema, settings, columns);
    }

    private ColumnChunkPageWriteStore startRowGroup() {
        ColumnChunkPageWriteStore store = new ColumnChunkPageWriteStore(
                compressor,
                schema,
                settings.properties().getAllocator(),
                settings.properties().getColumnIndexTruncateLength(),
                settings.properties().getPageWriteChecksumEnabled(),
                null,
                rowGroups);
        for (Column column : columns) {
            column.startRowGroup(store);
        }
        return store;
    }

    @Override
    public void addElement(InternalRow row) throws IOException {
        try {
            add(row, 0, columns.length);
            rows++;
            if (rows == nextCheck) {
                check();
            }
        } catch (Throwable t) {
            failed = true;
            throw t;
        }
    }

    /** Takes rows that are joined of others apart once, where each look at a field would ask all of them for its place. */
    private void add(InternalRow row, int first, int count) throws IOException {
        if (row instanceof JoinedRow joined) {
            int left = Math.min(joined.row1().getFieldCount(), count);
            add(joined.row1(), first, left);
            add(joined.row2(), first + left, count - left);
            return;
        }
        for (int field = 0; field < count; field++) {
            columns[first + field].add(row, field);
        }
    }

    private void check() throws IOException {
        long held = bytesHeld();
        if (held > rowGroupLimit - 2 * (held / rows)) {
            endRowGroup();
            pages = startRowGroup();
        }
        nextCheck = rows + rowsBetweenChecks();
    }

    /** A table of large values asks for less than usual with {@code parquet.page.size.row.check.min}. */
    private int rowsBetweenChecks() {
        return Math.min(settings.properties().getMinRowCountForPageSizeCheck(), ROWS_BETWEEN_CHECKS);
    }

    private long bytesHeld() {
        long held = 0;
        for (Column column : columns) {
            held += column.bytesHeld();
        }
        return held;
    }

    private void endRowGroup() throws IOException {
        try (ColumnChunkPageWriteStore full = pages) {
            if (rows > 0) {
                file.startBlock(rows);
                for (Column column : columns) {
                    column.endRowGroup();
                }
                full.flushToFileWriter(file);
                file.endBlock();
                rowGroups++;
                rows = 0;
                bytesInFile = file.getPos();
                rowGroupLimit = Math.min(file.getNextRowGroupSize(), settings.rowGroupSize());
            }
        }
    }

    @Override
    public boolean reachTargetSize(boolean suggestedCheck, long targetSize) {
        return suggestedCheck && bytesInFile + bytesHeld() >= targetSize;
    }

    /** After a failure there is no footer, so that nobody takes the file for a whole one. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (ParquetFileWriter ended = file) {
            if (!failed) {
                endRowGroup();
                ended.end(Map.of());
                footer = ended.getFooter();
            }
        } finally {
            pages.close();
            codecs.release();
        }
    }

    @Override
    public @Nullable Object writerMetadata() {
        return footer;
    }
}
