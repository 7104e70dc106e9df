/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.Map;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.paimon.flink.FormatCatalogTable;
import org.apache.paimon.table.FormatTable;

/** A table of plain files as the planner sees it. Keeps a hint apart until the factory knows what the table is for. */
public final class HintedFormatTable extends FormatCatalogTable {

    private final Map<String, String> hint;

    public HintedFormatTable(FormatTable stored) {
        this(stored, Map.of());
    }

    private HintedFormatTable(FormatTable stored, Map<String, String> hint) {
        super(stored);
        this.hint = Map.copyOf(hint);
    }

    /** What the hint of the statement says. */
    Map<String, String> hint() {
        return hint;
    }

    @Override
    public CatalogTable copy(Map<String, String> options) {
        return new HintedFormatTable(table(), StatementOptions.hint(options, getOptions()));
    }
}
