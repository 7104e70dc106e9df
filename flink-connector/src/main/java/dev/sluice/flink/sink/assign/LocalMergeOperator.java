/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.LocalMerge;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/**
 * Merges rows of one key and sends them on when its buffer is full, ahead of every checkpoint barrier and at the end of
 * the input; so it has no state. All methods are called by the task's thread.
 */
final class LocalMergeOperator extends AbstractStreamOperator<RowData>
        implements OneInputStreamOperator<RowData, RowData>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final transient FlinkToEngineRow rows;
    private final transient EngineToFlinkRow merged = new EngineToFlinkRow();
    private final transient StreamRecord<RowData> out = new StreamRecord<>(null);
    private transient @Nullable LocalMerge buffer;

    /** The latest that has come since the last flush while the buffer had rows; null if none has. */
    private transient @Nullable Watermark held;

    LocalMergeOperator(StreamOperatorParameters<RowData> parameters, StoreTable table) {
        super(parameters);
        this.table = table;
        this.rows = new FlinkToEngineRow(table.rowType());
    }

    @Override
    public void open() throws Exception {
        super.open();
        buffer = LocalMerge.open(table);
    }

    @Override
    public void processElement(StreamRecord<RowData> element) throws Exception {
        LocalMerge.Taken taken = buffer().add(rows.convert(element.getValue()));
        if (taken == LocalMerge.Taken.FULL) {
            flush();
            taken = buffer().add(rows.convert(element.getValue()));
        }
        if (taken == LocalMerge.Taken.PASSED || taken == LocalMerge.Taken.FULL) {
            flush();
            output.collect(element);
        }
    }

    /**
     * A watermark never overtakes a row that came before it. An earlier one can come after a later one: a source whose end
     * Flink has announced may still send what it had measured before.
     */
    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (buffer().isEmpty()) {
            super.processWatermark(mark);
        } else if (held == null || held.getTimestamp() < mark.getTimestamp()) {
            held = mark;
        }
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        flush();
    }

    @Override
    public void endInput() throws Exception {
        flush();
    }

    private void flush() throws Exception {
        buffer().drainTo(row -> output.collect(out.replace(merged.convert(row))));
        Watermark mark = held;
        if (mark != null) {
            held = null;
            super.processWatermark(mark);
        }
    }

    private LocalMerge buffer() {
        if (buffer == null) {
            throw new IllegalStateException("The local merge buffer of table " + table + " is not open.");
        }
        return buffer;
    }

    @Override
    public void close() throws Exception {
        try (LocalMerge ignored = buffer) {
            buffer = null;
        } finally {
            super.close();
        }
    }
}
