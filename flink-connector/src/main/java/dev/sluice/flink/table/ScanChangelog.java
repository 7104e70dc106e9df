/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.store.MetadataColumn;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.table.api.ValidationException;
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

    /**
     * Changes that come as insertions mean nothing without their kind.
     *
     * @throws ValidationException if it is not read
     */
    static void checkKindIsRead(StoreTable table, ReadSpec spec) {
        boolean hasKinds = table.kind() == StoreTable.Kind.APPEND || table.kind() == StoreTable.Kind.PRIMARY_KEY;
        if (spec.changes() && hasKinds && !spec.metadata().contains(MetadataColumn.ROW_KIND)) {
            throw new ValidationException("Table " + table.name() + ", option '" + ReadOptions.READ_CHANGELOG.key()
                    + "' = 'true': each change would come as an insertion whose kind nobody sees. Select a column declared"
                    + " as STRING METADATA FROM '" + MetadataColumn.ROW_KIND.key()
                    + "' VIRTUAL, or read the system table $audit_log, which has the column 'rowkind'.");
        }
    }
}
