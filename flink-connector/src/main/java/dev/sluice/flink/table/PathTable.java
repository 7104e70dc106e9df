/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.resolve.Secrets;
import dev.sluice.flink.resolve.TableDdl;
import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;

/** A table that no catalog knows: {@code 'connector'='paimon'} with a {@code path}. */
final class PathTable {

    private final String declaredAs;
    private final TableName name;
    private final ResolvedCatalogTable declared;
    private final Configuration options;
    private final Path path;
    private final String branch;

    /** @throws ValidationException if there is no path among the options */
    PathTable(ObjectIdentifier identifier, ResolvedCatalogTable declared) {
        this.declaredAs = identifier.asSummaryString();
        this.name = StoredFacts.name(identifier);
        this.declared = declared;
        this.options = Configuration.fromMap(declared.getOptions());
        this.path = options.getOptional(TableOptions.PATH)
                .filter(given -> !given.isBlank())
                .map(Path::new)
                .orElseThrow(() -> new ValidationException("Table " + declaredAs + " has no option 'path'. A table with"
                        + " 'connector'='paimon' outside a Paimon catalog needs the folder of its files there, for"
                        + " example 'path'='file:///warehouse/db.db/t'; or create a catalog with 'type'='paimon' and"
                        + " the table in it."));
        this.branch = options.get(TableOptions.BRANCH);
    }

    /** What messages call the table. */
    String name() {
        return path.toString();
    }

    /**
     * The stored table, which {@code auto-create} may have made just now.
     *
     * @throws ValidationException if there is none, or its metadata cannot be read
     */
    FileStoreTable open() {
        FileIO files = files();
        TableSchema schema = stored(files).orElseGet(() -> created(files));
        // Opened without the statement's options: those come once, in StatementOptions.
        Options opening = new Options();
        opening.set(CoreOptions.BRANCH, branch);
        return FileStoreTableFactory.create(files, path, schema, opening, CatalogEnvironment.empty());
    }

    private FileIO files() {
        try {
            Options reaching = Options.fromMap(declared.getOptions());
            return FileIO.get(path, CatalogContext.create(reaching, new FlinkFileIOLoader()));
        } catch (IOException | RuntimeException | LinkageError e) {
            String start = "Table " + declaredAs + ": path " + path + " (option 'path') ";
            throw Refusal.of(
                    MissingFileSystem.describe(path, e)
                            .map(missing -> start + missing)
                            .orElseGet(() -> start + "cannot be used: " + words(e) + "."),
                    e);
        }
    }

    private Optional<TableSchema> stored(FileIO files) {
        try {
            return new SchemaManager(files, path, branch).latest();
        } catch (RuntimeException e) {
            String why = DamagedMetadata.describe(files, path, branch).orElseGet(() -> words(e));
            throw Refusal.of("Table " + path + " (declared as " + declaredAs + ") cannot be opened: " + why + ".", e);
        }
    }

    private TableSchema created(FileIO files) {
        if (!branch.equals(TableOptions.BRANCH.defaultValue())) {
            throw new ValidationException("Table " + path + " (declared as " + declaredAs + ") has no branch '" + branch
                    + "' (option 'branch'). Create it with CALL sys.create_branch in a Paimon catalog, or leave the"
                    + " option out.");
        }
        if (!options.get(TableOptions.AUTO_CREATE)) {
            throw new ValidationException("There is no Paimon table at " + path + " (option 'path' of table "
                    + declaredAs + "). Correct the path, or set 'auto-create'='true' to create the table there with the"
                    + " declared columns.");
        }
        if (declared.getResolvedSchema().toPhysicalRowDataType().getChildren().isEmpty()) {
            throw new ValidationException("Table " + declaredAs + " cannot be created at " + path
                    + ": it declares no columns. Declare them, or set 'path' to a table that exists.");
        }
        Map<String, String> kept = new HashMap<>(declared.getOptions());
        kept.keySet().removeIf(PathTable::onlyOfThisStatement);
        TableDdl.create(facts(kept), Map.of());
        try {
            create(files, kept);
        } catch (Exception e) {
            throw Refusal.of(
                    "Table " + declaredAs + " cannot be created at " + path + " ('auto-create'='true'): " + words(e)
                            + ".",
                    e);
        }
        return stored(files)
                .orElseThrow(() -> new ValidationException("Table " + declaredAs + " was created at " + path
                        + " but is not there: another process removed it. Run the statement again."));
    }

    /** The engine writes the first schema to a temporary file and renames it, so there is a whole table or none. */
    private void create(FileIO files, Map<String, String> kept) throws Exception {
        try {
            new SchemaManager(files, path).createTable(FlinkCatalog.fromCatalogTable(declared.copy(kept)));
        } catch (IllegalStateException e) {
            // Two statements that create the same table: the second one takes the first one's, if that is why.
            if (stored(files).isEmpty()) {
                throw e;
            }
        }
    }

    private TableFacts facts(Map<String, String> kept) {
        ResolvedSchema schema = declared.getResolvedSchema();
        return new TableFacts(
                name,
                schema.getColumns().stream()
                        .filter(Column::isPhysical)
                        .map(Column::getName)
                        .toList(),
                schema.getPrimaryKey().map(UniqueConstraint::getColumns).orElse(List.of()),
                declared.getPartitionKeys(),
                kept);
    }

    private static boolean onlyOfThisStatement(String key) {
        return key.equals("connector")
                || key.equals(TableOptions.PATH.key())
                || key.equals(TableOptions.AUTO_CREATE.key())
                || key.equals(TableOptions.BRANCH.key())
                || Secrets.isSecret(key)
                // How this statement reaches the files is no property of the table.
                || OptionRegistry.table().isStorage(key);
    }

    private String words(Throwable e) {
        return Secrets.redact(Refusal.words(e), declared.getOptions());
    }
}
