/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.convert.BinaryRows;
import dev.sluice.flink.convert.RowBytes;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.ReadException;
import dev.sluice.flink.store.RowFiles;
import dev.sluice.flink.store.SplitMetadata;
import dev.sluice.flink.store.SplitOpener;
import dev.sluice.flink.store.merge.MergedRows;
import java.io.IOException;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;
import org.apache.paimon.data.columnar.VectorizedRowIterator;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReader.RecordIterator;
import org.jspecify.annotations.Nullable;

/** The rows of one split one after the other, whatever batches the engine reads them in. Used by one thread. */
final class SplitRows implements AutoCloseable {

    private final PaimonSplit split;
    private final SplitOpener opener;
    private final RecordReader<InternalRow> reader;
    private final RowFiles files = new RowFiles();
    private @Nullable RecordIterator<InternalRow> batch;

    /** The batch's rows, where the engine has them as columns and leaves none of them out. */
    private @Nullable VectorizedColumnBatch columns;

    /** The batch's rows, where they come from a merge that chooses. */
    private @Nullable MergedRows merged;

    /** How many of the batch's rows have been taken. */
    private int taken;

    private boolean ended;

    private SplitRows(PaimonSplit split, SplitOpener opener, RecordReader<InternalRow> reader) {
        this.split = split;
        this.opener = opener;
        this.reader = reader;
    }

    /**
     * Stands behind the rows that have been read before.
     *
     * @throws ReadException if the split cannot be read
     */
    static SplitRows open(PaimonSplit split, SplitOpener opener) throws IOException {
        SplitRows rows = new SplitRows(split, opener, opener.open(split.split()));
        try {
            for (long skipped = 0; skipped < split.rowsRead(); ) {
                InternalRow row = rows.next();
                if (row == null) {
                    throw new IOException("Split " + split.splitId() + " had " + split.rowsRead()
                            + " rows read before, now it has only " + skipped + ".");
                }
                if (rows.wants(row)) {
                    skipped++;
                }
            }
            return rows;
        } catch (IOException | RuntimeException e) {
            rows.closeAfter(e);
            throw opener.failed(split.split(), e);
        }
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    String splitId() {
        return split.splitId();
    }

    /** Whether the row is one that the read is for. */
    boolean wants(InternalRow row) {
        return opener.wants(split.split(), row);
    }

    boolean wantsAll() {
        return opener.wantsAll();
    }

    SplitMetadata metadata() {
        return opener.metadata(split.split());
    }

    /** The file of the row that {@link #next()} gave last, or null if it is of several. */
    @Nullable
    String file() {
        return batch == null ? null : files.of(batch);
    }

    /**
     * Takes rows that lie ahead as columns.
     *
     * @param writer adds them to {@code to}
     * @param most how many may be added; {@code to} has room for them
     * @return how many were added; 0 if the next ones must be asked for one by one, or there are none
     */
    int take(BinaryRows writer, int most, int enoughBytes, RowBytes to) {
        try {
            if (!hasBatch()) {
                return 0;
            }
            int rows;
            int added;
            if (columns != null) {
                rows = columns.getNumRows();
                added = writer.add(columns, taken, Math.min(most, rows - taken), enoughBytes, to);
            } else if (merged != null) {
                rows = merged.size();
                added = writer.add(merged, taken, Math.min(most, rows - taken), enoughBytes, to);
            } else {
                return 0;
            }
            taken += added;
            if (taken == rows) {
                release();
            }
            return added;
        } catch (IOException | RuntimeException e) {
            throw opener.failed(split.split(), e);
        }
    }

    /** The next row, valid until the next call, or null behind the last. */
    @Nullable
    InternalRow next() {
        try {
            while (hasBatch() && batch != null) {
                InternalRow row = batch.next();
                if (row != null) {
                    taken++;
                    return row;
                }
                release();
            }
            return null;
        } catch (IOException | RuntimeException e) {
            throw opener.failed(split.split(), e);
        }
    }

    /** Reads on if there is none. */
    private boolean hasBatch() throws IOException {
        if (batch == null && !ended) {
            RecordIterator<InternalRow> read = reader.readBatch();
            ended = read == null;
            batch = read;
            taken = 0;
            // Exactly this class, since what is derived from it or wraps it may leave rows out.
            if (read != null && read.getClass() == VectorizedRowIterator.class) {
                VectorizedColumnBatch vectors = ((VectorizedRowIterator) read).batch();
                columns = vectors.getNumRows() == 0 ? null : vectors;
            } else if (read instanceof MergedRows chosen) {
                merged = chosen;
            }
        }
        return batch != null;
    }

    private void release() {
        columns = null;
        merged = null;
        if (batch != null) {
            batch.releaseBatch();
            batch = null;
        }
    }

    @Override
    public void close() throws IOException {
        release();
        reader.close();
    }
}
