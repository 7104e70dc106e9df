/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.table.data.RowData;

/** Emits as many rows of a page as one turn of the task's mailbox may. Used on the task's thread. */
final class TurnEmitter implements RecordEmitter<RowPage, RowData, SplitProgress> {

    private final CommitLag lag;

    /** Flink counts one for each turn. */
    private final Counter rowsIn;

    TurnEmitter(CommitLag lag, SourceReaderMetricGroup metrics) {
        this.lag = lag;
        this.rowsIn = metrics.getIOMetricGroup().getNumRecordsInCounter();
    }

    @Override
    public void emitRecord(RowPage page, SourceOutput<RowData> output, SplitProgress progress) {
        int rows = 0;
        for (RowData row = page.nextOfTurn(); row != null; row = page.nextOfTurn()) {
            output.collect(row);
            rows++;
        }
        progress.rowsEmitted(rows, lag);
        rowsIn.inc(rows - 1L);
    }
}
