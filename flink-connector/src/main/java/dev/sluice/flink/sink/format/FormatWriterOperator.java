/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.format;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.FormatFiles;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** Writes rows into files and sends those on at the end of its input. Called by the task's thread. */
final class FormatWriterOperator extends AbstractStreamOperator<byte[]>
        implements OneInputStreamOperator<RowData, byte[]>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final transient FlinkToEngineRow rows;
    private transient @Nullable FormatFiles files;

    FormatWriterOperator(StreamOperatorParameters<byte[]> parameters, StoreTable table) {
        super(parameters);
        this.table = table;
        this.rows = new FlinkToEngineRow(table.rowType());
    }

    private FormatFiles files() {
        FormatFiles open = files;
        if (open == null) {
            open = FormatFiles.open(table);
            files = open;
        }
        return open;
    }

    @Override
    public void processElement(StreamRecord<RowData> element) throws Exception {
        files().write(rows.convert(element.getValue()));
    }

    @Override
    public void endInput() throws Exception {
        for (byte[] file : files().finish()) {
            output.collect(new StreamRecord<>(file));
        }
    }

    @Override
    public void close() throws Exception {
        try (FormatFiles ignored = files) {
            files = null;
        } finally {
            super.close();
        }
    }
}
