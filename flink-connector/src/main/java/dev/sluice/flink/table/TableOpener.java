/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import java.util.Map;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.DataCatalogTable;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.flink.FormatCatalogTable;
import org.apache.paimon.flink.SystemCatalogTable;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/** Finds the engine's table behind a table of a statement, applies the statement's options and compares the columns. */
final class TableOpener {

    private final @Nullable FlinkCatalog catalog;

    TableOpener(@Nullable FlinkCatalog catalog) {
        this.catalog = catalog;
    }

    /** @throws ValidationException if there is no such table, or it is not what the statement declares */
    StoreTable open(DynamicTableFactory.Context context) {
        ResolvedCatalogTable declared = context.getCatalogTable();
        CatalogTable origin = declared.getOrigin();
        if (origin instanceof SystemCatalogTable system) {
            // Columns are the table's own and the statement's options are in it: Flink copied them in.
            return StoreTable.of(context.getObjectIdentifier().asSummaryString(), system.table());
        }
        return opened(context.getObjectIdentifier(), declared, origin, context);
    }

    private StoreTable opened(
            ObjectIdentifier identifier,
            ResolvedCatalogTable declared,
            CatalogTable origin,
            DynamicTableFactory.Context context) {
        String name = identifier.asSummaryString();
        Table table;
        if (origin instanceof FormatCatalogTable format) {
            table = format.table();
        } else if (origin instanceof DataCatalogTable data) {
            table = StatementOptions.apply(name, fileStore(name, data.table()), declared.getOptions());
        } else if (catalog != null) {
            FileStoreTable stored = fileStore(name, fromCatalog(catalog, identifier));
            table = StatementOptions.apply(name, stored, declared.getOptions());
        } else {
            name = PathTable.path(identifier, declared).toString();
            table = StatementOptions.apply(name, PathTable.open(identifier, declared), declared.getOptions());
        }
        passJobSettings(table, context);
        DeclaredColumns.check(name, declared, table);
        return StoreTable.of(name, table);
    }

    private static FileStoreTable fileStore(String name, Table table) {
        if (table instanceof FileStoreTable fileStore) {
            return fileStore;
        }
        throw new ValidationException(
                "Table " + name + " is a " + table.getClass().getSimpleName()
                        + " of the engine, which Flink jobs can neither read nor write. Use a table with snapshots, a format"
                        + " table or one of a table's system tables.");
    }

    private static Table fromCatalog(FlinkCatalog catalog, ObjectIdentifier identifier) {
        try {
            return catalog.catalog()
                    .getTable(Identifier.create(identifier.getDatabaseName(), identifier.getObjectName()));
        } catch (Catalog.TableNotExistException e) {
            throw Refusal.of(
                    "Table " + identifier.asSummaryString() + " is not in its catalog any more: it was dropped or"
                            + " renamed while the statement was planned. SHOW TABLES lists what there is.",
                    e);
        }
    }

    /** Lets a file system take settings of the job, unless the table turns that off. */
    private static void passJobSettings(Table table, DynamicTableFactory.Context context) {
        boolean wanted =
                Options.fromMap(table.options()).get(FlinkConnectorOptions.FILESYSTEM_JOB_LEVEL_SETTINGS_ENABLED);
        if (!wanted) {
            return;
        }
        Map<String, String> job = context.getConfiguration() instanceof TableConfig config
                ? config.getConfiguration().toMap()
                : context.getConfiguration().toMap();
        if (table instanceof FileStoreTable fileStore) {
            fileStore.fileIO().setRuntimeContext(job);
        } else if (table instanceof FormatTable format) {
            format.fileIO().setRuntimeContext(job);
        }
    }
}
