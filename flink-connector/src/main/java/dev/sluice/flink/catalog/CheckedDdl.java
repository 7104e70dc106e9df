/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.resolve.OptionProblem;
import dev.sluice.flink.resolve.TableDdl;
import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import dev.sluice.flink.table.StoredFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogMaterializedTable;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogBaseTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.table.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks what a statement that creates or alters a table says about options, before anything is stored. */
final class CheckedDdl {

    private static final Logger LOG = LoggerFactory.getLogger(CheckedDdl.class);

    /** Flink hands comments over as if they were options. */
    private static final String COMMENT = "comment";

    private final Map<String, String> catalogOptions;

    /** @param catalogOptions what the catalog was created with */
    CheckedDdl(Map<String, String> catalogOptions) {
        this.catalogOptions = catalogOptions;
    }

    /** @throws org.apache.flink.table.api.ValidationException naming everything that is wrong at once */
    void create(TableName name, CatalogBaseTable table) {
        if (!(table instanceof ResolvedCatalogBaseTable<?> resolved)) {
            return; // Not from a statement: without types there is nothing the engine could create either.
        }
        ResolvedSchema schema = resolved.getResolvedSchema();
        List<String> columns = schema.getColumns().stream()
                .filter(Column::isPhysical)
                .map(Column::getName)
                .toList();
        Map<String, String> options = table.getOptions();
        List<String> primaryKeys = schema.getPrimaryKey()
                .map(UniqueConstraint::getColumns)
                .orElseGet(() -> list(options.get(CoreOptions.PRIMARY_KEY.key())));
        List<String> partitionKeys = partitionKeys(table);
        TableFacts facts = new TableFacts(
                name,
                columns,
                primaryKeys,
                partitionKeys.isEmpty() ? list(options.get(CoreOptions.PARTITION.key())) : partitionKeys,
                options);
        warn(name, TableDdl.create(facts, catalogOptions));
    }

    /**
     * @param stored empty for a view, whose options are not looked at
     * @throws org.apache.flink.table.api.ValidationException naming everything that is wrong at once
     */
    void alter(TableName name, Optional<Table> stored, List<TableChange> changes) {
        Map<String, String> set = new HashMap<>();
        List<String> reset = new ArrayList<>();
        for (TableChange change : changes) {
            if (change instanceof TableChange.SetOption option
                    && !option.getKey().equals(COMMENT)) {
                set.put(option.getKey(), option.getValue());
            } else if (change instanceof TableChange.ResetOption option
                    && !option.getKey().equals(COMMENT)) {
                reset.add(option.getKey());
            }
        }
        stored.ifPresent(table -> alter(name, table, set, reset));
    }

    /** @param options all that the table is to have */
    void alter(TableName name, Optional<Table> stored, Map<String, String> options) {
        if (stored.isEmpty()) {
            return;
        }
        Map<String, String> before = stored.get().options();
        Map<String, String> set = new HashMap<>(options);
        set.entrySet()
                .removeIf(e -> e.getValue().equals(before.get(e.getKey()))
                        || e.getKey().equals(COMMENT));
        Set<String> reset = new TreeSet<>(before.keySet());
        reset.removeAll(options.keySet());
        // The catalog turns columns that are not stored, and watermarks, into such keys and back.
        reset.removeIf(key -> key.startsWith("schema.") || key.equals(CoreOptions.PATH.key()));
        alter(name, stored.get(), set, new ArrayList<>(reset));
    }

    private void alter(TableName name, Table stored, Map<String, String> set, List<String> reset) {
        if (!set.isEmpty() || !reset.isEmpty()) {
            warn(name, TableDdl.alter(StoredFacts.of(name, stored), set, reset, catalogOptions));
        }
    }

    private static void warn(TableName name, List<OptionProblem> warnings) {
        for (OptionProblem warning : warnings) {
            LOG.warn("Table {}, option {}", name, warning.words());
        }
    }

    private static List<String> partitionKeys(CatalogBaseTable table) {
        if (table instanceof CatalogTable definition) {
            return definition.getPartitionKeys();
        }
        return table instanceof CatalogMaterializedTable materialized ? materialized.getPartitionKeys() : List.of();
    }

    private static List<String> list(@org.jspecify.annotations.Nullable String columns) {
        return columns == null
                ? List.of()
                : java.util.Arrays.stream(columns.split(",")).map(String::strip).toList();
    }
}
