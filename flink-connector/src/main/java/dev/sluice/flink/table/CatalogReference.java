/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.TableName;
import java.util.Map;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.DataCatalogTable;

/**
 * A table of a catalog and what the catalog was created with.
 *
 * @param table as the statement calls it
 * @param catalogOptions in clear
 */
public record CatalogReference(TableName table, Map<String, String> catalogOptions) {

    /**
     * Whether a table can be read at a time, going by what is stored with it.
     *
     * @param millis since 1970 in UTC
     * @throws org.apache.flink.table.api.ValidationException naming the stored options that say otherwise
     */
    public void checkTime(CatalogBaseTable stored, long millis) {
        if (stored instanceof DataCatalogTable data) {
            Map<String, String> time = Map.of(CoreOptions.SCAN_TIMESTAMP_MILLIS.key(), String.valueOf(millis));
            options(Map.of(), Use.READ).resolve(data.table(), time);
        }
    }

    StatementOptions options(Map<String, String> session, Use use) {
        return new StatementOptions(table, catalogOptions, session, use);
    }
}
