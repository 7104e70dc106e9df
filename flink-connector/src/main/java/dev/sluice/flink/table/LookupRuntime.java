/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import java.util.List;
import org.apache.flink.table.connector.source.LookupTableSource.LookupContext;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.paimon.predicate.Predicate;

/** The lookup side of a table source. */
final class LookupRuntime {

    private LookupRuntime() {}

    static LookupRuntimeProvider provider(
            StoreTable table, int[] topLevelProjection, List<Predicate> filters, LookupContext context) {
        throw new UnsupportedOperationException("Table " + table.name() + " cannot be joined by lookup in this build;"
                + " join it as a regular table.");
    }
}
