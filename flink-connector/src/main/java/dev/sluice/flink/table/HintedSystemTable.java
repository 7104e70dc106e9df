/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionResolver.Use;
import java.time.ZoneId;
import java.util.Map;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.paimon.flink.SystemCatalogTable;
import org.apache.paimon.table.Table;

/**
 * A system table such as {@code t$snapshots} as the planner sees it. Flink hands a hint to {@link #copy(Map)} only, and
 * a hint may change the columns, so it is checked and applied here; the session's options come in the factory.
 */
public final class HintedSystemTable extends SystemCatalogTable {

    private final CatalogReference reference;
    private final Table stored;
    private final Map<String, String> hint;

    public HintedSystemTable(CatalogReference reference, Table stored) {
        this(reference, stored, Map.of(), stored);
    }

    private HintedSystemTable(CatalogReference reference, Table stored, Map<String, String> hint, Table applied) {
        super(applied);
        this.reference = reference;
        this.stored = stored;
        this.hint = Map.copyOf(hint);
    }

    /** As the engine has it, without the hint. */
    Table stored() {
        return stored;
    }

    /** What the hint of the statement says. */
    Map<String, String> hint() {
        return hint;
    }

    /** @throws org.apache.flink.table.api.ValidationException if the options cannot be applied to this table */
    @Override
    public CatalogTable copy(Map<String, String> options) {
        Table applied = StatementOptions.apply(
                reference.table().toString(),
                stored,
                reference.options(Map.of(), Use.READ).resolve(stored, options),
                // For the columns only; what is read is opened with the session's.
                ZoneId.systemDefault());
        return new HintedSystemTable(reference, stored, options, applied);
    }
}
