/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.Map;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.paimon.flink.SystemCatalogTable;
import org.apache.paimon.table.Table;

/**
 * A system table such as {@code t$snapshots} as the planner sees it. Flink hands a hint to {@link #copy(Map)} and not
 * to the factory, so this is where it is checked.
 */
public final class HintedSystemTable extends SystemCatalogTable {

    private final String name;

    /** @param name {@code catalog.database.table}, for messages */
    public HintedSystemTable(String name, Table table) {
        super(table);
        this.name = name;
    }

    /** @throws org.apache.flink.table.api.ValidationException if the options cannot be applied to this table */
    @Override
    public CatalogTable copy(Map<String, String> options) {
        return new HintedSystemTable(name, StatementOptions.apply(name, table(), options));
    }
}
