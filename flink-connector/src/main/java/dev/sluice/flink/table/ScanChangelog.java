/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.options.Options;

/** Which row kinds following a table gives; Flink adds what an operator needs and the table does not give. */
final class ScanChangelog {

    private ScanChangelog() {}

    static ChangelogMode of(StoreTable table) {
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            return ChangelogMode.insertOnly();
        }
        Options options = Options.fromMap(table.options());
        if (options.get(CoreOptions.MERGE_ENGINE) == CoreOptions.MergeEngine.FIRST_ROW) {
            return ChangelogMode.insertOnly();
        }
        boolean complete = options.get(CoreOptions.CHANGELOG_PRODUCER) != CoreOptions.ChangelogProducer.NONE
                || options.get(FlinkConnectorOptions.SCAN_REMOVE_NORMALIZE);
        // Without a changelog, rows come as they were written: deletes may carry nothing but the key.
        return complete ? ChangelogMode.all() : ChangelogMode.upsert();
    }
}
