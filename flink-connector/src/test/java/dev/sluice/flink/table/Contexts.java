/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

/** What the planner hands to a factory for a table of catalog {@code p}, database {@code default}. */
final class Contexts {

    private Contexts() {}

    static ObjectPath path(String table) {
        return new ObjectPath("default", table);
    }

    /** @param hint merged over the table's options by a copy of it, as the planner does */
    static DynamicTableFactory.Context of(String name, CatalogTable table, Map<String, String> hint) {
        CatalogTable merged = table;
        if (!hint.isEmpty()) {
            Map<String, String> options = new HashMap<>(table.getOptions());
            options.putAll(hint);
            merged = table.copy(options);
        }
        return new FactoryUtil.DefaultDynamicTableContext(
                ObjectIdentifier.of("p", "default", name),
                new ResolvedCatalogTable(merged, resolved(merged.getUnresolvedSchema())),
                Map.of(),
                new Configuration(),
                Contexts.class.getClassLoader(),
                false);
    }

    /** Of physical columns with resolved types only. The constructor is the one that every supported Flink has. */
    @SuppressWarnings("deprecation")
    private static ResolvedSchema resolved(Schema schema) {
        List<Column> columns = new ArrayList<>();
        for (Schema.UnresolvedColumn column : schema.getColumns()) {
            DataType type = (DataType) ((Schema.UnresolvedPhysicalColumn) column).getDataType();
            columns.add(Column.physical(column.getName(), type));
        }
        UniqueConstraint key = schema.getPrimaryKey()
                .map(k -> UniqueConstraint.primaryKey(k.getConstraintName(), k.getColumnNames()))
                .orElse(null);
        return new ResolvedSchema(columns, List.of(), key);
    }
}
