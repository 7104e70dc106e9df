/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.store.StoreTable;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
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
import org.apache.paimon.table.system.AuditLogTable;
import org.apache.paimon.table.system.BinlogTable;
import org.apache.paimon.table.system.ReadOptimizedTable;
import org.apache.paimon.table.system.RowTrackingTable;
import org.jspecify.annotations.Nullable;

/** Finds the engine's table behind a table of a statement, applies the statement's options and compares the columns. */
final class TableOpener {

    /** System tables that give rows of their table from a position on. */
    private static final Set<String> ROWS = Set.of(
            AuditLogTable.AUDIT_LOG,
            BinlogTable.BINLOG,
            ReadOptimizedTable.READ_OPTIMIZED,
            RowTrackingTable.ROW_TRACKING);

    private final @Nullable FlinkCatalog catalog;
    private final Map<String, String> catalogOptions;

    /**
     * @param catalog null for tables without a catalog
     * @param catalogOptions what the catalog was created with
     */
    TableOpener(@Nullable FlinkCatalog catalog, Map<String, String> catalogOptions) {
        this.catalog = catalog;
        this.catalogOptions = catalogOptions;
    }

    /**
     * @param use whether the statement reads the table, and so only needs what its read position is about
     * @throws ValidationException if there is no such table, it is not what the statement declares, or its options are
     *     wrong
     */
    OpenedTable open(DynamicTableFactory.Context context, Use use) {
        OpenedTable opened = find(context, use);
        if (use == Use.WRITE) {
            return opened;
        }
        boolean lost = LostTime.in(context);
        return opened.withTimeLost(() -> lost || LostTime.in(context.getObjectIdentifier()));
    }

    private OpenedTable find(DynamicTableFactory.Context context, Use use) {
        CatalogTable origin = context.getCatalogTable().getOrigin();
        ObjectIdentifier identifier = context.getObjectIdentifier();
        Optional<TimedName> timed = TimedName.parse(identifier.toObjectPath());
        String name = timed.map(time -> time.words(identifier.getCatalogName())).orElse(identifier.asSummaryString());
        if (timed.isPresent() && use == Use.WRITE) {
            throw new ValidationException(
                    "Table " + name + " is the past of a table and cannot be written. Write to the table itself.");
        }
        StatementOptions statement = new StatementOptions(
                StoredFacts.name(identifier), catalogOptions, session(context.getConfiguration()), use);
        if (origin instanceof SystemCatalogTable system) {
            return system(name, system, statement, context);
        }
        if (origin instanceof FormatCatalogTable format) {
            Map<String, String> hint = format instanceof HintedFormatTable hinted ? hinted.hint() : Map.of();
            ResolvedOptions options = statement.resolve(format.table(), hint);
            return checked(
                    name,
                    StatementOptions.apply(name, (Table) format.table(), options, zone(context)),
                    options,
                    context);
        }
        if (origin instanceof DataCatalogTable data) {
            Map<String, String> hint = StatementOptions.hint(data);
            FileStoreTable stored = onBranch(name, fileStore(name, data.table()), hint);
            return withSnapshots(name, stored, statement.resolve(stored, hint), context, use);
        }
        Map<String, String> declared = context.getCatalogTable().getOptions();
        if (catalog != null) {
            FileStoreTable found = fileStore(name, fromCatalog(catalog, name, identifier));
            Map<String, String> hint = StatementOptions.difference(declared, found.options());
            FileStoreTable stored = onBranch(name, found, hint);
            return withSnapshots(name, stored, statement.resolve(stored, hint), context, use);
        }
        PathTable atPath = new PathTable(context.getObjectIdentifier(), context.getCatalogTable());
        FileStoreTable stored = atPath.open();
        return withSnapshots(atPath.name(), stored, statement.resolveDeclared(stored, declared), context, use);
    }

    /** A hint names a branch without its schema; taken with this one's, files would be written that do not fit there. */
    private static FileStoreTable onBranch(String name, FileStoreTable stored, Map<String, String> statement) {
        String branch = statement.get(TableOptions.BRANCH.key());
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

    /**
     * Without what lies below the session: Flink copies the session's settings down there with each job and leaves them
     * when they are RESET.
     */
    private static Map<String, String> session(ReadableConfig config) {
        return config instanceof TableConfig table ? table.getConfiguration().toMap() : config.toMap();
    }

    private static ZoneId zone(DynamicTableFactory.Context context) {
        return zone(context.getConfiguration());
    }

    /** The session's. */
    private static ZoneId zone(ReadableConfig config) {
        String zone = config.get(TableConfigOptions.LOCAL_TIME_ZONE);
        return zone.equals(TableConfigOptions.LOCAL_TIME_ZONE.defaultValue())
                ? ZoneId.systemDefault()
                : ZoneId.of(zone);
    }

    private static OpenedTable withSnapshots(
            String name, FileStoreTable stored, ResolvedOptions options, DynamicTableFactory.Context context, Use use) {
        FileStoreTable table = StatementOptions.apply(name, stored, options, zone(context));
        if (use == Use.READ) {
            ReadPosition.check(name, table, options, context.getConfiguration());
        }
        if (use == Use.WRITE || readsLatest(table)) {
            checkLatestSnapshot(name, table);
        }
        return checked(name, table, options, context);
    }

    /** Its columns are the table's own, and Flink copied the hint into it. */
    private OpenedTable system(
            String name, SystemCatalogTable system, StatementOptions statement, DynamicTableFactory.Context context) {
        HintedSystemTable hinted = system instanceof HintedSystemTable ours ? ours : null;
        Table stored = hinted == null ? system.table() : hinted.stored();
        ResolvedOptions options = statement.resolve(stored, hinted == null ? Map.of() : hinted.hint());
        Table table = StatementOptions.apply(name, stored, options, zone(context));
        if (!table.rowType().equals(system.table().rowType())) {
            throw new ValidationException("Table " + name + " has other columns with the options that are SET in this"
                    + " session, which the planner cannot see. RESET them and use an OPTIONS hint instead.");
        }
        if (statement.use() == Use.READ) {
            rowsBehind(context.getObjectIdentifier())
                    .ifPresent(rows -> ReadPosition.check(
                            name,
                            StatementOptions.apply(name, rows, options, zone(context)),
                            options,
                            context.getConfiguration()));
        }
        return new OpenedTable(StoreTable.of(name, table), options);
    }

    /** The table whose rows a system table shows; empty for those that show metadata. */
    private Optional<FileStoreTable> rowsBehind(ObjectIdentifier system) {
        Identifier name = engineName(system);
        String kind = name.getSystemTableName();
        if (catalog == null || kind == null || !ROWS.contains(kind.toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        try {
            Table table = catalog.catalog()
                    .getTable(new Identifier(name.getDatabaseName(), name.getTableName(), name.getBranchName()));
            return table instanceof FileStoreTable rows ? Optional.of(rows) : Optional.empty();
        } catch (Catalog.TableNotExistException e) {
            return Optional.empty(); // It was there when its system table was opened; the read itself will tell.
        }
    }

    private static Identifier engineName(ObjectIdentifier identifier) {
        ObjectPath path = identifier.toObjectPath();
        ObjectPath table = TimedName.parse(path).map(TimedName::table).orElse(path);
        return Identifier.create(table.getDatabaseName(), table.getObjectName());
    }

    private static OpenedTable checked(
            String name, Table table, ResolvedOptions options, DynamicTableFactory.Context context) {
        passJobSettings(table, context);
        DeclaredColumns.check(name, context.getCatalogTable(), table);
        return new OpenedTable(StoreTable.of(name, table), options);
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

    private static Table fromCatalog(FlinkCatalog catalog, String name, ObjectIdentifier identifier) {
        try {
            return catalog.catalog().getTable(engineName(identifier));
        } catch (Catalog.TableNotExistException e) {
            throw Refusal.of(
                    "Table " + name + " is not in its catalog any more: it was dropped or"
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
        Map<String, String> job = context.getConfiguration().toMap();
        if (table instanceof FileStoreTable fileStore) {
            fileStore.fileIO().setRuntimeContext(job);
        } else if (table instanceof FormatTable format) {
            format.fileIO().setRuntimeContext(job);
        }
    }
}
