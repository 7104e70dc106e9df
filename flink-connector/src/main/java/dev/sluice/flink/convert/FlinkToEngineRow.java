/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import org.apache.flink.table.data.RowData;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.FlinkRowWrapper;

/** Shows Flink rows as the engine's rows; the returned row reads through to its argument. */
public final class FlinkToEngineRow {

    public InternalRow convert(RowData row) {
        return new FlinkRowWrapper(row);
    }
}
