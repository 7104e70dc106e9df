/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;

/** A table on the reading side of a statement: scans and lookup joins. Used on the planner's thread only. */
final class PaimonTableSource implements ScanTableSource, LookupTableSource {

    private final StoreTable table;
    private final ReadSettings settings;
    private final boolean streaming;

    /** @param streaming whether the scan goes on after the table's present content */
    PaimonTableSource(StoreTable table, ReadSettings settings, boolean streaming) {
        this.table = table;
        this.settings = settings;
        this.streaming = streaming;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DynamicTableSource copy() {
        return new PaimonTableSource(table, settings, streaming);
    }

    @Override
    public String asSummaryString() {
        return "Paimon table " + table.name();
    }
}
