/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.table.sink.BatchTableCommit;

/** Empties tables. */
public final class TableTruncation {

    private TableTruncation() {}

    /**
     * Removes all rows in one snapshot; older snapshots keep theirs. Blocks on storage.
     *
     * @param table with snapshots: of kind PRIMARY_KEY or APPEND
     */
    public static void truncate(StoreTable table) throws WriteFailedException {
        try (BatchTableCommit commit = table.fileStore().newBatchWriteBuilder().newCommit()) {
            commit.truncateTable();
        } catch (Exception e) {
            throw WriteFailedException.during(
                    "Truncating",
                    table,
                    e,
                    "Check that the client can write under the table's path, then run it again.");
        }
    }
}
