/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.ManagedWriteBuffer;
import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.TableWriter;
import dev.sluice.flink.store.WriteFailedException;
import java.util.List;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/** One writer of the engine's with a buffer of its own. Used by one thread at a time. */
final class RowWriter<T> implements Writers<T> {

    private final WriterInput<T> input;
    private final FlinkToEngineRow rows;
    private final TableWriter writer;
    private final @Nullable ManagedWriteBuffer buffer;

    /** @param buffer what the writer writes into, if that is not on the heap; closed with this */
    RowWriter(WriterInput<T> input, FlinkToEngineRow rows, TableWriter writer, @Nullable ManagedWriteBuffer buffer) {
        this.input = input;
        this.rows = rows;
        this.writer = writer;
        this.buffer = buffer;
    }

    @Override
    public void write(T value) throws WriteFailedException, InterruptedException {
        writer.write(rows.convert(input.row(value)), input.bucket(value));
    }

    @Override
    public void oweFullCompaction(Slice slice) {
        writer.oweFullCompaction(slice);
    }

    @Override
    public List<CommitMessage> prepareCommit(boolean last, long checkpointId)
            throws WriteFailedException, InterruptedException {
        return writer.prepareCommit(last, checkpointId);
    }

    /** The buffer's memory stays until nothing of the writer looks at it. */
    @Override
    public void close() throws Exception {
        try (ManagedWriteBuffer ignored = buffer) {
            writer.close();
        }
    }
}
