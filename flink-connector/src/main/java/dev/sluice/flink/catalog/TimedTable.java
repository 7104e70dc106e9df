/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.DataCatalogTable;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;

/**
 * A table as {@code FOR SYSTEM_TIME AS OF} asks for it. The engine takes the time for an option stored with the table,
 * which the session's would override; here it stands beside the stored options, as a hint does.
 */
final class TimedTable {

    private TimedTable() {}

    /**
     * @param timed as the engine's catalog makes it, with the columns of that time
     * @param plain the table without a time
     */
    static CatalogBaseTable of(CatalogBaseTable timed, CatalogBaseTable plain) {
        if (!(timed instanceof DataCatalogTable data
                && plain instanceof DataCatalogTable untimed
                && data.table() instanceof FileStoreTable table)) {
            return timed;
        }
        String time = table.options().get(CoreOptions.SCAN_TIMESTAMP_MILLIS.key());
        FileStoreTable stored =
                table.copyWithoutTimeTravel(position(untimed.table().options()));
        Map<String, String> options = new HashMap<>();
        for (String key : data.getOptions().keySet()) {
            // The very objects of the stored options: they are told from a hint's by that.
            @Nullable String value = stored.options().get(key);
            if (value != null) {
                options.put(key, value);
            }
        }
        options.put(CoreOptions.SCAN_TIMESTAMP_MILLIS.key(), time);
        return new DataCatalogTable(
                stored, data.getUnresolvedSchema(), data.getPartitionKeys(), options, data.getComment(), Map.of());
    }

    /** A system table: what time it is read at is an option, as in a hint. */
    static CatalogBaseTable of(CatalogBaseTable system, long millis) {
        return system instanceof CatalogTable table
                ? table.copy(Map.of(CoreOptions.SCAN_TIMESTAMP_MILLIS.key(), String.valueOf(millis)))
                : system;
    }

    /** What is stored for the options that the engine sets to read at a time; null takes one away. */
    private static Map<String, String> position(Map<String, String> stored) {
        Map<String, String> position = new HashMap<>();
        for (String key : new String[] {CoreOptions.SCAN_TIMESTAMP_MILLIS.key(), CoreOptions.SCAN_MODE.key()}) {
            position.put(key, stored.get(key));
        }
        return position;
    }
}
