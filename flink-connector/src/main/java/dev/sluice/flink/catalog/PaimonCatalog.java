/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.resolve.Secrets;
import dev.sluice.flink.resolve.TableName;
import dev.sluice.flink.table.CatalogReference;
import dev.sluice.flink.table.DamagedMetadata;
import dev.sluice.flink.table.HintedFormatTable;
import dev.sluice.flink.table.HintedSystemTable;
import dev.sluice.flink.table.LostTime;
import dev.sluice.flink.table.PaimonTableFactory;
import dev.sluice.flink.table.Refusal;
import dev.sluice.flink.table.TimedName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.CatalogView;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.procedures.Procedure;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.TableType;
import org.apache.paimon.catalog.AbstractCatalog;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkCatalogOptions;
import org.apache.paimon.flink.FormatCatalogTable;
import org.apache.paimon.flink.SystemCatalogTable;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * A Paimon catalog whose tables are read and written by this connector. It stays a {@link FlinkCatalog} for code that
 * unwraps one. What the engine refuses or fails at is told with the table, the reason and what to do.
 */
public final class PaimonCatalog extends FlinkCatalog {

    private final Map<String, String> options;
    private final CheckedDdl ddl;
    private final @Nullable TableConfig session;

    /**
     * @param engine owned by this catalog from here on; {@link #close()} closes it
     * @param options the options of CREATE CATALOG
     */
    public PaimonCatalog(Catalog engine, String name, Options options) {
        this(engine, name, options, new Configuration());
    }

    /** @param session of the table environment that opens the catalog; goes on changing with it */
    PaimonCatalog(Catalog engine, String name, Options options, ReadableConfig session) {
        super(engine, name, options.get(FlinkCatalogOptions.DEFAULT_DATABASE), options);
        this.options = Map.copyOf(options.toMap());
        this.ddl = new CheckedDdl(this.options);
        this.session = session instanceof TableConfig config ? config : null;
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(new PaimonTableFactory(this, options));
    }

    @Override
    public CatalogBaseTable getTable(ObjectPath path) throws TableNotExistException {
        LostTime.lookedUp(identifier(path), false);
        Optional<TimedName> timed = TimedName.parse(path);
        if (timed.isPresent()) {
            return at(timed.get());
        }
        try {
            return hinted(path, super.getTable(path));
        } catch (RuntimeException e) {
            throw refused(path, "opened", e);
        }
    }

    @Override
    public CatalogBaseTable getTable(ObjectPath path, long timestamp) throws TableNotExistException {
        LostTime.lookedUp(identifier(path), true);
        TimedName name = new TimedName(path, timestamp);
        CatalogBaseTable table = at(name);
        return table instanceof CatalogTable stored && !(table instanceof CatalogView)
                ? TimedView.of(getName(), name, stored)
                : table;
    }

    private CatalogBaseTable at(TimedName name) throws TableNotExistException {
        ObjectPath path = name.table();
        try {
            CatalogBaseTable now = super.getTable(path);
            if (now instanceof SystemCatalogTable) {
                return TimedTable.of(hinted(path, now), name.millis());
            }
            new CatalogReference(tableName(path), options).checkTime(now, name.millis());
            return TimedTable.of(super.getTable(path, name.millis()), now);
        } catch (ValidationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw refused(path, "opened as of " + Instant.ofEpochMilli(name.millis()), e);
        }
    }

    private CatalogBaseTable hinted(ObjectPath path, CatalogBaseTable table) {
        if (table instanceof SystemCatalogTable system) {
            return new HintedSystemTable(new CatalogReference(tableName(path), options), system.table());
        }
        return table instanceof FormatCatalogTable format ? new HintedFormatTable(format.table()) : table;
    }

    private ObjectIdentifier identifier(ObjectPath path) {
        return ObjectIdentifier.of(getName(), path.getDatabaseName(), path.getObjectName());
    }

    private TableName tableName(ObjectPath path) {
        return new TableName(getName(), path.getDatabaseName(), path.getObjectName());
    }

    @Override
    public boolean tableExists(ObjectPath path) {
        try {
            return super.tableExists(path);
        } catch (RuntimeException e) {
            throw refused(path, "opened", e);
        }
    }

    @Override
    public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfExists)
            throws TableAlreadyExistException, DatabaseNotExistException {
        String connector =
                table instanceof CatalogView ? null : table.getOptions().get("connector");
        if (connector != null && !connector.equals(PaimonTableFactory.IDENTIFIER)) {
            throw new CatalogException("Table " + name(path) + " cannot be created: option 'connector' is '" + connector
                    + "', but a Paimon catalog holds Paimon tables only. Leave the option out, or use CREATE TEMPORARY"
                    + " TABLE for a table of another connector.");
        }
        refuseAsFolder(path.getObjectName(), "Table " + name(path));
        CatalogBaseTable definition = withoutModelsPath(table);
        boolean takesWhatIsThere = ignoreIfExists && tableExists(path);
        if (!(table instanceof CatalogView) && !takesWhatIsThere) {
            ddl.create(tableName(path), definition);
        }
        try {
            super.createTable(path, definition, ignoreIfExists);
        } catch (UnsupportedOperationException e) {
            throw unsupportedKind(path, table, e).orElseGet(() -> refused(path, "created", e));
        } catch (RuntimeException e) {
            throw refused(path, "created", e);
        }
    }

    @Override
    public void alterTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfNotExists)
            throws TableNotExistException {
        if (tableExists(path)) {
            ddl.alter(tableName(path), stored(path), table.getOptions());
        }
        try {
            super.alterTable(path, table, ignoreIfNotExists);
        } catch (RuntimeException e) {
            throw refused(path, "altered", e);
        }
    }

    @Override
    public void alterTable(
            ObjectPath path, CatalogBaseTable table, List<TableChange> changes, boolean ignoreIfNotExists)
            throws TableNotExistException {
        if (tableExists(path)) {
            ddl.alter(tableName(path), stored(path), changes);
        }
        try {
            super.alterTable(path, table, changes, ignoreIfNotExists);
        } catch (RuntimeException e) {
            throw refused(path, "altered", e);
        }
    }

    /** As the engine has it; a view has none. */
    private Optional<Table> stored(ObjectPath path) {
        try {
            return Optional.of(catalog().getTable(toIdentifier(path)));
        } catch (Catalog.TableNotExistException view) {
            return Optional.empty();
        } catch (RuntimeException e) {
            throw refused(path, "altered", e);
        }
    }

    @Override
    public List<String> listProcedures(String database) throws DatabaseNotExistException {
        List<String> procedures = new ArrayList<>(super.listProcedures(database));
        procedures.add(EffectiveOptionsProcedure.NAME);
        Collections.sort(procedures);
        return procedures;
    }

    @Override
    public Procedure getProcedure(ObjectPath path) throws ProcedureNotExistException {
        boolean ours = path.getDatabaseName().equals(Catalog.SYSTEM_DATABASE_NAME)
                && path.getObjectName().equals(EffectiveOptionsProcedure.NAME);
        return ours ? new EffectiveOptionsProcedure(catalog(), getName(), options, session) : super.getProcedure(path);
    }

    @Override
    public void dropTable(ObjectPath path, boolean ignoreIfNotExists) throws TableNotExistException {
        try {
            super.dropTable(path, ignoreIfNotExists);
        } catch (RuntimeException e) {
            throw refused(path, "dropped", e);
        }
    }

    @Override
    public void createDatabase(String database, CatalogDatabase definition, boolean ignoreIfExists)
            throws DatabaseAlreadyExistException {
        refuseAsFolder(database, "Database " + getName() + "." + database);
        try {
            super.createDatabase(database, definition, ignoreIfExists);
        } catch (RuntimeException e) {
            throw refused(database, "created", e);
        }
    }

    @Override
    public void dropDatabase(String database, boolean ignoreIfNotExists, boolean cascade)
            throws DatabaseNotExistException, DatabaseNotEmptyException {
        try {
            super.dropDatabase(database, ignoreIfNotExists, cascade);
        } catch (RuntimeException e) {
            throw refused(database, "dropped", e);
        }
    }

    /** CREATE TABLE … LIKE and the text of SHOW CREATE TABLE carry the folder of another table along. */
    private CatalogBaseTable withoutModelsPath(CatalogBaseTable table) {
        String folder = table.getOptions().get(CoreOptions.PATH.key());
        if (folder == null || !(table instanceof CatalogTable definition)) {
            return table;
        }
        Identifier model = SchemaManager.identifierFromPath(folder, true);
        boolean ofThisWarehouse = fileMetastore()
                .filter(files -> files.getTableLocation(model).equals(new Path(folder)))
                .isPresent();
        if (!ofThisWarehouse) {
            return table;
        }
        Map<String, String> own = new HashMap<>(table.getOptions());
        own.remove(CoreOptions.PATH.key());
        return definition.copy(own);
    }

    /** File metastores make folders of names; one with a slash in it would end up elsewhere and never be listed. */
    private void refuseAsFolder(String folder, String what) {
        boolean leads = folder.contains("/") || folder.equals(".") || folder.equals("..");
        if (leads && fileMetastore().isPresent()) {
            throw new CatalogException(what + " cannot be created: its name becomes the name of a folder and must not"
                    + " contain '/' or be '.' or '..'. Choose another name.");
        }
    }

    private Optional<RuntimeException> unsupportedKind(
            ObjectPath path, CatalogBaseTable table, UnsupportedOperationException e) {
        String metastore =
                options.getOrDefault(CatalogOptions.METASTORE.key(), CatalogOptions.METASTORE.defaultValue());
        if (table instanceof CatalogView) {
            return Optional.of(new EngineRefusal(
                    "View " + name(path) + " cannot be created: metastore '" + metastore + "' of the catalog keeps no"
                            + " views. Use CREATE TEMPORARY VIEW, or a catalog with 'metastore'='jdbc' or 'rest'.",
                    e));
        }
        if (TableType.FORMAT_TABLE
                .toString()
                .equalsIgnoreCase(table.getOptions().get(CoreOptions.TYPE.key()))) {
            return Optional.of(new EngineRefusal(
                    "Table " + name(path) + " cannot be created: its 'type' is 'format-table', which metastore '"
                            + metastore + "' of the catalog cannot make. Use a catalog with 'metastore'='rest' or"
                            + " 'hive', or leave 'type' out for a table with snapshots.",
                    e));
        }
        return Optional.empty();
    }

    private RuntimeException refused(String database, String action, RuntimeException e) {
        return e instanceof EngineRefusal
                ? e
                : new EngineRefusal(
                        "Database " + getName() + "." + database + " cannot be " + action + ": " + words(e) + ".", e);
    }

    private RuntimeException refused(ObjectPath path, String action, RuntimeException e) {
        if (e instanceof EngineRefusal) {
            return e;
        }
        String why = damaged(path).orElseGet(() -> words(e));
        String advice = action.equals("altered") && e instanceof UnsupportedOperationException
                ? " Create a new table with that change and copy the rows with INSERT INTO … SELECT."
                : "";
        return new EngineRefusal("Table " + name(path) + " cannot be " + action + ": " + why + "." + advice, e);
    }

    private String words(RuntimeException e) {
        return Secrets.redact(Refusal.words(e), options);
    }

    private String name(ObjectPath path) {
        return getName() + "." + path.getFullName();
    }

    private Optional<String> damaged(ObjectPath path) {
        Identifier table = toIdentifier(path);
        return fileMetastore()
                .flatMap(files -> DamagedMetadata.describe(
                        files.fileIO(), files.getTableLocation(table), table.getBranchNameOrDefault()));
    }

    /** Only metastores that leave the metadata in files this process can see. */
    private Optional<AbstractCatalog> fileMetastore() {
        return CachingCatalog.rootCatalog(catalog()) instanceof AbstractCatalog files
                ? Optional.of(files)
                : Optional.empty();
    }
}
