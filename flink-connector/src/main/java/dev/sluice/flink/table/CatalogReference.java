/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.TableName;
import java.util.Map;

/**
 * A table of a catalog and what the catalog was created with.
 *
 * @param table as the statement calls it
 * @param catalogOptions in clear
 */
public record CatalogReference(TableName table, Map<String, String> catalogOptions) {

    StatementOptions options(Map<String, String> session, Use use) {
        return new StatementOptions(table, catalogOptions, session, use);
    }
}
