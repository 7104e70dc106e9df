/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.table.TimedName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Schema.UnresolvedColumn;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.CatalogView;

/**
 * What {@code FOR SYSTEM_TIME AS OF} is answered with: a selection from the table's {@link TimedName}, which the
 * planner expands. It says that it is a table, because Flink refuses a view at a time.
 */
final class TimedView implements CatalogTable, CatalogView {

    private final CatalogTable table;
    private final String query;

    private TimedView(CatalogTable table, String query) {
        this.table = table;
        this.query = query;
    }

    /** @param table with the columns of that time */
    static TimedView of(String catalog, TimedName name, CatalogTable table) {
        String columns = table.getUnresolvedSchema().getColumns().stream()
                .map(UnresolvedColumn::getName)
                .map(TimedView::quoted)
                .collect(Collectors.joining(", "));
        String from = quoted(catalog) + "." + quoted(name.table().getDatabaseName()) + "." + quoted(name.objectName());
        return new TimedView(table, "SELECT " + columns + " FROM " + from);
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    @Override
    public TableKind getTableKind() {
        return TableKind.TABLE;
    }

    @Override
    public String getOriginalQuery() {
        return query;
    }

    @Override
    public String getExpandedQuery() {
        return query;
    }

    @Override
    public Schema getUnresolvedSchema() {
        return table.getUnresolvedSchema();
    }

    @Override
    public boolean isPartitioned() {
        return table.isPartitioned();
    }

    @Override
    public List<String> getPartitionKeys() {
        return table.getPartitionKeys();
    }

    @Override
    public Map<String, String> getOptions() {
        return table.getOptions();
    }

    @Override
    public String getComment() {
        return table.getComment();
    }

    @Override
    public Optional<String> getDescription() {
        return table.getDescription();
    }

    @Override
    public Optional<String> getDetailedDescription() {
        return table.getDetailedDescription();
    }

    @Override
    public CatalogBaseTable copy() {
        return this;
    }

    @Override
    public CatalogTable copy(Map<String, String> options) {
        return new TimedView(table.copy(options), query);
    }
}
