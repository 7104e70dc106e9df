/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ChangelogProducer;
import org.apache.paimon.CoreOptions.MergeEngine;
import org.apache.paimon.options.Options;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a table can take the rows of UPDATE and DELETE: the new row, or the row with kind DELETE, written over the old
 * one by its key.
 */
final class RowChanges {

    private static final Logger LOG = LoggerFactory.getLogger(RowChanges.class);
    private static final String REWRITE =
            " Rewrite the rows instead: INSERT OVERWRITE t SELECT … FROM t, with the change in the query.";

    private RowChanges() {}

    /**
     * @param columns that the statement sets
     * @throws ValidationException if the table's rows would not become what the statement says
     */
    static void checkUpdate(StoreTable table, List<String> columns) {
        WriteLayout.of(table);
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            throw refused(table, "UPDATE", "it has no primary key to find the old rows by." + REWRITE);
        }
        List<String> keys =
                columns.stream().filter(table.primaryKeys()::contains).toList();
        if (!keys.isEmpty()) {
            throw refused(
                    table,
                    "UPDATE of " + keys,
                    "the primary key " + table.primaryKeys() + " says which row it is. DELETE the row and INSERT it"
                            + " with the other key.");
        }
        CoreOptions options = CoreOptions.fromMap(table.options());
        MergeEngine engine = options.mergeEngine();
        boolean replaces = engine == MergeEngine.DEDUPLICATE
                || (engine == MergeEngine.PARTIAL_UPDATE && !options.definedAggFunc());
        if (!replaces) {
            throw refused(
                    table,
                    "UPDATE",
                    "its merge engine " + engine
                            + (engine == MergeEngine.FIRST_ROW
                                    ? " keeps the row that was there first."
                                    : " would add the new row up with the old one.")
                            + REWRITE);
        }
        if (options.changelogProducer() == ChangelogProducer.INPUT) {
            LOG.warn(
                    "Table {}: the changelog of this UPDATE has the new rows only, since 'changelog-producer' = 'input'"
                            + " stores what is written and Flink does not hand over the old rows.",
                    table.name());
        }
    }

    /** @throws ValidationException if the rows would stay */
    static void checkDelete(StoreTable table) {
        WriteLayout.of(table);
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            throw refused(
                    table,
                    "DELETE by such a condition",
                    "it has no primary key to find the rows by; DELETE of all rows and of whole partitions works, where"
                            + " each partition key is compared by '='." + REWRITE);
        }
        CoreOptions options = CoreOptions.fromMap(table.options());
        Options raw = Options.fromMap(table.options());
        if (options.ignoreDelete()) {
            throw refused(
                    table,
                    "DELETE",
                    "it ignores deletions ('" + CoreOptions.IGNORE_DELETE.key() + "' = 'true')." + REWRITE);
        }
        if (options.rowkindField().isPresent()) {
            throw refused(
                    table,
                    "DELETE",
                    "its column '" + options.rowkindField().get()
                            + "' says what kind a row is (option 'rowkind.field'). INSERT the rows with '-D' in that"
                            + " column.");
        }
        switch (options.mergeEngine()) {
            case DEDUPLICATE -> {}
            case FIRST_ROW ->
                throw refused(
                        table, "DELETE", "its merge engine first-row keeps the row that was there first." + REWRITE);
            case AGGREGATE -> {
                if (!raw.get(CoreOptions.AGGREGATION_REMOVE_RECORD_ON_DELETE)) {
                    throw removes(table, MergeEngine.AGGREGATE, CoreOptions.AGGREGATION_REMOVE_RECORD_ON_DELETE.key());
                }
            }
            case PARTIAL_UPDATE -> {
                if (!raw.get(CoreOptions.PARTIAL_UPDATE_REMOVE_RECORD_ON_DELETE)
                        && raw.get(CoreOptions.PARTIAL_UPDATE_REMOVE_RECORD_ON_SEQUENCE_GROUP) == null) {
                    throw removes(
                            table,
                            MergeEngine.PARTIAL_UPDATE,
                            CoreOptions.PARTIAL_UPDATE_REMOVE_RECORD_ON_DELETE.key());
                }
            }
        }
    }

    private static ValidationException removes(StoreTable table, MergeEngine engine, String option) {
        return refused(
                table,
                "DELETE",
                "its merge engine " + engine + " takes back what a row has added rather than the row. Set '" + option
                        + "' = 'true' with ALTER TABLE to remove rows." + REWRITE);
    }

    private static ValidationException refused(StoreTable table, String statement, String why) {
        return new ValidationException("Table " + table + " cannot take " + statement + ": " + why);
    }
}
