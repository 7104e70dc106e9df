/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.table.data.RowData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.FlinkRowData;

/**
 * Shows the engine's rows as Flink rows. One instance per reader thread: the returned row is the same object each time
 * and is valid until the next call, so a caller that keeps it must copy it.
 */
public final class EngineToFlinkRow {

    private final FlinkRowData view = new FlinkRowData(null);

    public RowData convert(InternalRow row) {
        return view.replace(row);
    }
}
