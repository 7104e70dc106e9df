/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.TableOptions;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.paimon.catalog.CatalogContext;
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

    private PathTable() {}

    static Path path(ObjectIdentifier identifier, ResolvedCatalogTable declared) {
        return Optional.ofNullable(declared.getOptions().get(TableOptions.PATH.key()))
                .map(Path::new)
                .orElseThrow(() -> new ValidationException("Table " + identifier.asSummaryString()
                        + " has no option 'path'. A table with 'connector'='paimon' outside a Paimon catalog needs the"
                        + " folder of its files there, for example 'path'='file:///warehouse/db.db/t'; or create a"
                        + " catalog with 'type'='paimon' and the table in it."));
    }

    static FileStoreTable open(ObjectIdentifier identifier, ResolvedCatalogTable declared) {
        Path path = path(identifier, declared);
        Options options = Options.fromMap(declared.getOptions());
        String branch = Configuration.fromMap(declared.getOptions()).get(TableOptions.BRANCH);
        FileIO files;
        try {
            files = FileIO.get(path, CatalogContext.create(options, new FlinkFileIOLoader()));
        } catch (IOException e) {
            throw Refusal.of("Table " + identifier.asSummaryString() + ": " + Refusal.words(e), e);
        }
        TableSchema schema = new SchemaManager(files, path, branch)
                .latest()
                .orElseThrow(() -> new ValidationException("no table at " + path));
        Options opening = new Options();
        opening.set(org.apache.paimon.CoreOptions.BRANCH, branch);
        return FileStoreTableFactory.create(files, path, schema, opening, CatalogEnvironment.empty());
    }
}
