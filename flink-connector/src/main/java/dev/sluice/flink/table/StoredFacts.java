/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.paimon.table.Table;

/** What the options of a statement are judged by, taken from the engine's table. */
public final class StoredFacts {

    private StoredFacts() {}

    /** @param table as it is stored, without options of a statement */
    public static TableFacts of(TableName name, Table table) {
        return new TableFacts(
                name, table.rowType().getFieldNames(), table.primaryKeys(), table.partitionKeys(), table.options());
    }

    static TableName name(ObjectIdentifier identifier) {
        return new TableName(
                identifier.getCatalogName(), identifier.getDatabaseName(), identifier.getObjectName());
    }
}
