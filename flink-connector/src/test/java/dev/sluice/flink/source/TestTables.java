/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.types.RowType;

/** Tables in a folder, made and written with the engine alone, so that tests read what others wrote. */
public final class TestTables implements AutoCloseable {

    private static final String DATABASE = "db";

    private final Path folder;
    private final Catalog catalog;

    public TestTables(Path folder) throws Exception {
        this.folder = folder;
        Options options = new Options();
        options.set("warehouse", folder.toUri().toString());
        this.catalog = CatalogFactory.createCatalog(CatalogContext.create(options));
        catalog.createDatabase(DATABASE, true);
    }

    public Table create(String name, Schema schema) throws Exception {
        catalog.createTable(Identifier.create(DATABASE, name), schema, false);
        return engineTable(name);
    }

    public Table engineTable(String name) throws Exception {
        return catalog.getTable(Identifier.create(DATABASE, name));
    }

    public void alter(String name, SchemaChange change) throws Exception {
        catalog.alterTable(Identifier.create(DATABASE, name), change, false);
    }

    public StoreTable open(String name) throws Exception {
        return open(name, Map.of());
    }

    public StoreTable open(String name, Map<String, String> options) throws Exception {
        return StoreTable.of("test.db." + name, engineTable(name).copy(options));
    }

    /** A folder of plain Parquet files; the file-system catalog itself makes no such tables. */
    public StoreTable formatTable(String name, RowType rowType) throws Exception {
        Files.createDirectories(path(name));
        FormatTable table = FormatTable.builder()
                .fileIO(LocalFileIO.create())
                .identifier(Identifier.create(DATABASE, name))
                .rowType(rowType)
                .partitionKeys(List.of())
                .location(path(name).toUri().toString())
                .format(FormatTable.Format.PARQUET)
                .options(Map.of("path", path(name).toUri().toString(), "file.format", "parquet"))
                .build();
        return StoreTable.of("test.db." + name, table);
    }

    public Path path(String name) {
        return folder.resolve(DATABASE + ".db").resolve(name);
    }

    /** One snapshot with these rows, and one more where the table's options make the engine compact. */
    public static void write(Table table, InternalRow... rows) throws Exception {
        write(table, false, Arrays.asList(rows));
    }

    public static void write(Table table, boolean compact, Iterable<InternalRow> rows) throws Exception {
        StreamWriteBuilder builder = table.newStreamWriteBuilder();
        try (StreamTableWrite write = builder.newWrite();
                StreamTableCommit commit = builder.newCommit()) {
            write.withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")));
            for (InternalRow row : rows) {
                write.write(row);
                if (compact) {
                    write.compact(write.getPartition(row), write.getBucket(row), true);
                }
            }
            commit.commit(1, write.prepareCommit(true, 1));
        }
    }

    @Override
    public void close() throws Exception {
        catalog.close();
    }
}
