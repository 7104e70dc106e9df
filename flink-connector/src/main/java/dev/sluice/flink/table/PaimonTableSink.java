/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;

/** A table on the writing side of a statement. Used on the planner's thread only. */
final class PaimonTableSink implements DynamicTableSink {

    private final StoreTable table;
    private final WriteSettings settings;
    private final boolean streaming;

    /** @param streaming whether the job commits with checkpoints rather than once at its end */
    PaimonTableSink(StoreTable table, WriteSettings settings, boolean streaming) {
        this.table = table;
        this.settings = settings;
        this.streaming = streaming;
    }

    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requestedMode) {
        return requestedMode;
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DynamicTableSink copy() {
        return new PaimonTableSink(table, settings, streaming);
    }

    @Override
    public String asSummaryString() {
        return "Paimon table " + table.name();
    }
}
