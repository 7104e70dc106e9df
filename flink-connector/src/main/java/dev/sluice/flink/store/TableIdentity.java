/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Map;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;

/**
 * Equal for two references to one table that show the same rows and are read alike.
 *
 * @param branch whose snapshots are read
 * @param options those in force, stored and of the statement
 */
public record TableIdentity(
        String name,
        String location,
        String branch,
        @Nullable String uuid,
        long schemaId,
        Map<String, String> options) {

    /** @param table with snapshots */
    public static TableIdentity of(StoreTable table) {
        FileStoreTable store = table.fileStore();
        return new TableIdentity(
                table.name(),
                store.location().toString(),
                store.snapshotManager().branch(),
                store.catalogEnvironment().uuid(),
                store.schema().id(),
                Map.copyOf(table.options()));
    }
}
