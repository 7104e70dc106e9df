/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.time.Duration;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;

/**
 * What a lookup join may use of a machine, by the table's options.
 *
 * @param memoryBytes memory for rows, {@code lookup.cache-max-memory-size}
 * @param diskBytes disk for local copies and rows that memory has no room for, {@code lookup.cache-max-disk-size}
 * @param fileRetention how long a local copy stays that no probe asks, {@code lookup.cache-file-retention}
 */
public record LookupLimits(long memoryBytes, long diskBytes, Duration fileRetention) {

    public static LookupLimits of(StoreTable table) {
        CoreOptions options = table.fileStore().coreOptions();
        return new LookupLimits(
                options.lookupCacheMaxMemory().getBytes(),
                options.toConfiguration()
                        .get(CoreOptions.LOOKUP_CACHE_MAX_DISK_SIZE)
                        .getBytes(),
                options.toConfiguration().get(CoreOptions.LOOKUP_CACHE_FILE_RETENTION));
    }

    /** How many rows the table's files have now, older versions of rows included; one small read. */
    public static long rowsInFiles(StoreTable table) {
        FileStoreTable store = table.fileStore();
        Snapshot latest = store.snapshotManager().latestSnapshot();
        return latest == null ? 0 : latest.totalRecordCount();
    }
}
