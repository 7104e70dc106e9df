/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Table;

/** What the options of a statement are judged by, taken from the engine's table. */
public final class StoredFacts {

    private StoredFacts() {}

    /** @param table as it is stored, without options of a statement */
    public static TableFacts of(TableName name, Table table) {
        return new TableFacts(
                name,
                table.rowType().getFieldNames(),
                table.primaryKeys(),
                table.partitionKeys(),
                withoutInferredMode(table.options()));
    }

    /** The engine adds the mode that follows from a start position when it loads a table; nobody has set that one. */
    private static Map<String, String> withoutInferredMode(Map<String, String> options) {
        Options others = Options.fromMap(new HashMap<>(options));
        others.remove(CoreOptions.SCAN_MODE.key());
        Map<String, String> without = new HashMap<>(others.toMap());
        CoreOptions.setDefaultValues(others);
        String inferred = others.toMap().get(CoreOptions.SCAN_MODE.key());
        return inferred != null && inferred.equals(options.get(CoreOptions.SCAN_MODE.key())) ? without : options;
    }

    /** Without the time that the table is asked for at. */
    static TableName name(ObjectIdentifier identifier) {
        ObjectPath path = identifier.toObjectPath();
        ObjectPath table = TimedName.parse(path).map(TimedName::table).orElse(path);
        return new TableName(identifier.getCatalogName(), table.getDatabaseName(), table.getObjectName());
    }
}
