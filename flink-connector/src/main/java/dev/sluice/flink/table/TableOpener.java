/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.store.StoreTable;
import java.util.Map;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.paimon.CoreOptions.StartupMode;
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

    /**
     * @param reads whether the statement reads the table, and so only needs what its read position is about
     * @throws ValidationException if there is no such table, or it is not what the statement declares
     */
    StoreTable open(DynamicTableFactory.Context context, boolean reads) {
        ResolvedCatalogTable declared = context.getCatalogTable();
        CatalogTable origin = declared.getOrigin();
        String name = context.getObjectIdentifier().asSummaryString();
        if (origin instanceof SystemCatalogTable system) {
            // Its columns are the table's own, and Flink copied the hint into it.
            return StoreTable.of(name, system.table());
        }
        if (origin instanceof FormatCatalogTable format) {
            return checked(name, format.table(), context);
        }
        FileStoreTable stored;
        if (origin instanceof DataCatalogTable data) {
            stored = fileStore(name, data.table());
        } else if (catalog != null) {
            stored = fileStore(name, fromCatalog(catalog, context.getObjectIdentifier()));
        } else {
            PathTable atPath = new PathTable(context.getObjectIdentifier(), declared);
            name = atPath.name();
            stored = atPath.open();
        }
        FileStoreTable table = StatementOptions.apply(name, onBranch(name, stored, declared), declared.getOptions());
        if (!reads || readsLatest(table)) {
            checkLatestSnapshot(name, table);
        }
        return checked(name, table, context);
    }

    /** A hint names a branch without its schema; taken with this one's, files would be written that do not fit there. */
    private static FileStoreTable onBranch(String name, FileStoreTable stored, ResolvedCatalogTable declared) {
        String branch = declared.getOptions().get(TableOptions.BRANCH.key());
        if (branch == null || branch.equals(stored.coreOptions().branch())) {
            return stored;
        }
        if (!branch.equals(TableOptions.BRANCH.defaultValue())
                && !stored.branchManager().branchExists(branch)) {
            throw new ValidationException("Table " + name + " has no branch '" + branch
                    + "' (option 'branch'). Create it with CALL sys.create_branch, or leave the option out.");
        }
        return stored.switchToBranch(branch);
    }

    private static StoreTable checked(String name, Table table, DynamicTableFactory.Context context) {
        passJobSettings(table, context);
        DeclaredColumns.check(name, context.getCatalogTable(), table);
        return StoreTable.of(name, table);
    }

    private static boolean readsLatest(FileStoreTable table) {
        StartupMode mode = table.coreOptions().startupMode();
        return mode == StartupMode.LATEST_FULL || mode == StartupMode.LATEST;
    }

    /** Better now, with the file's name, than from the coordinator of a job that has been started. */
    private static void checkLatestSnapshot(String name, FileStoreTable table) {
        try {
            table.latestSnapshot();
        } catch (RuntimeException e) {
            String why = DamagedMetadata.describe(
                            table.fileIO(),
                            table.location(),
                            table.coreOptions().branch())
                    .orElseGet(() -> Refusal.words(e));
            throw Refusal.of("Table " + name + " cannot be opened: " + why + ".", e);
        }
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
