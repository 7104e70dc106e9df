/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.Map;
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
        delete(table, Map.of());
    }

    /**
     * Removes whole partitions in one snapshot; older snapshots keep theirs. Blocks on storage.
     *
     * @param table with snapshots: of kind PRIMARY_KEY or APPEND
     * @param partition values of partition keys, as in a path; keys that are left out have any value
     */
    public static void delete(StoreTable table, Map<String, String> partition) throws WriteFailedException {
        try (BatchTableCommit commit = table.fileStore().newBatchWriteBuilder().newCommit()) {
            if (partition.isEmpty()) {
                commit.truncateTable();
            } else {
                commit.truncatePartitions(List.of(partition));
            }
        } catch (Exception e) {
            throw WriteFailedException.during(
                    partition.isEmpty() ? "Truncating" : "Deleting partition " + partition,
                    table,
                    e,
                    "Check that the client can write under the table's path, then run it again.");
        }
    }
}
