/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.StoreTable;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.service.ServiceManager;
import org.apache.paimon.service.network.stats.DisabledServiceRequestStats;
import org.apache.paimon.service.server.KvQueryServer;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.query.LocalTableQuery;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowKind;
import org.jspecify.annotations.Nullable;

/** A real table in a temporary warehouse, written through the engine's own API. */
public final class EngineTable implements AutoCloseable {

    /** Buckets that the rows of a dynamic bucket table go to, by their first column, an int. */
    private static final int DYNAMIC_BUCKETS = 2;

    private static final Identifier NAME = Identifier.create("d", "t");

    private final Catalog catalog;
    private final Schema schema;
    private final Map<String, String> hints;

    public EngineTable(Path warehouse, Schema schema) throws Exception {
        this(warehouse, schema, Map.of());
    }

    /** @param hints options that every statement sets */
    EngineTable(Path warehouse, Schema schema, Map<String, String> hints) throws Exception {
        this.hints = hints;
        this.catalog =
                CatalogFactory.createCatalog(CatalogContext.create(new org.apache.paimon.fs.Path(warehouse.toUri())));
        this.schema = schema;
        catalog.createDatabase("d", true);
        catalog.createTable(NAME, schema, false);
    }

    /** Describes columns, keys and options in the order a reader looks for them. */
    public static final class Columns {
        private final Schema.Builder builder = Schema.newBuilder();

        public Columns column(String name, DataType type) {
            builder.column(name, type);
            return this;
        }

        Columns partitionedBy(String... names) {
            builder.partitionKeys(names);
            return this;
        }

        public Schema keyed(String... primaryKey) {
            builder.primaryKey(primaryKey);
            return builder.build();
        }

        public Columns option(String key, String value) {
            builder.option(key, value);
            return this;
        }

        public Schema unkeyed() {
            return builder.build();
        }
    }

    public StoreTable asSeenNow() throws Exception {
        return asSeenNow(Map.of());
    }

    public StoreTable asSeenNow(Map<String, String> more) throws Exception {
        Map<String, String> all = new LinkedHashMap<>(hints);
        all.putAll(more);
        return StoreTable.of("c.d.t", catalog.getTable(NAME).copy(all));
    }

    /** On a storage of the test's own. */
    StoreTable asSeenThrough(FileIO storage, Map<String, String> more) throws Exception {
        FileStoreTable stored = (FileStoreTable) catalog.getTable(NAME);
        Map<String, String> all = new LinkedHashMap<>(hints);
        all.putAll(more);
        return StoreTable.of(
                "c.d.t",
                FileStoreTableFactory.create(storage, stored.location(), stored.schema(), stored.catalogEnvironment())
                        .copy(all));
    }

    long latestSnapshot() throws Exception {
        Long latest =
                ((FileStoreTable) catalog.getTable(NAME)).snapshotManager().latestSnapshotId();
        return latest == null ? 0 : latest;
    }

    public void insert(Object... values) throws Exception {
        write(row(RowKind.INSERT, values));
    }

    void delete(Object... values) throws Exception {
        write(row(RowKind.DELETE, values));
    }

    /** One commit. */
    public void write(InternalRow... rows) throws Exception {
        commit(Map.of(), null, false, List.of(rows));
    }

    /** One commit that also compacts what it touched, fully. */
    void writeAndCompact(InternalRow... rows) throws Exception {
        commit(Map.of("write-only", "false"), null, true, List.of(rows));
    }

    void overwrite(InternalRow... rows) throws Exception {
        commit(Map.of(), new LinkedHashMap<>(), false, List.of(rows));
    }

    private void commit(
            Map<String, String> options,
            @Nullable Map<String, String> overwritten,
            boolean compact,
            List<InternalRow> rows)
            throws Exception {
        FileStoreTable table = (FileStoreTable) catalog.getTable(NAME).copy(options);
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        if (overwritten != null) {
            builder.withOverwrite(overwritten);
        }
        try (IOManager io = IOManager.create(System.getProperty("java.io.tmpdir"));
                BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withIOManager(io);
            for (InternalRow row : rows) {
                if (table.bucketMode() == BucketMode.HASH_DYNAMIC) {
                    write.write(row, Math.floorMod(row.getInt(0), DYNAMIC_BUCKETS));
                } else {
                    write.write(row);
                }
            }
            if (compact) {
                int buckets = Math.max(DYNAMIC_BUCKETS, table.bucketSpec().getNumBuckets());
                for (int bucket = 0; bucket < buckets; bucket++) {
                    write.compact(BinaryRow.EMPTY_ROW, bucket, true);
                }
            }
            commit.commit(write.prepareCommit());
        }
    }

    void alter(SchemaChange change) throws Exception {
        catalog.alterTable(NAME, List.of(change), false);
    }

    void rollbackTo(long snapshotId) throws Exception {
        catalog.getTable(NAME).rollbackTo(snapshotId);
    }

    void expireAllButLast() throws Exception {
        FileStoreTable table = (FileStoreTable) catalog.getTable(NAME);
        table.newExpireSnapshots()
                .config(org.apache.paimon.options.ExpireConfig.builder()
                        .snapshotRetainMax(1)
                        .snapshotRetainMin(1)
                        .snapshotTimeRetain(java.time.Duration.ZERO)
                        .build())
                .expire();
    }

    /** A branch that begins with what the table has now. */
    void branch(String name) throws Exception {
        FileStoreTable table = (FileStoreTable) catalog.getTable(NAME);
        table.createTag(name, table.snapshotManager().latestSnapshotId());
        table.createBranch(name, name);
    }

    StoreTable ofBranch(String name) throws Exception {
        Identifier branch = new Identifier(NAME.getDatabaseName(), NAME.getTableName(), name);
        return StoreTable.of("c.d.t$branch_" + name, catalog.getTable(branch).copy(hints));
    }

    /** A running query service of the table as it is now, which then stays so; registered until it is closed. */
    static final class Service implements AutoCloseable {

        private final KvQueryServer server;
        private final LocalTableQuery query;
        private final IOManager disk;
        private final FileStoreTable table;

        private Service(FileStoreTable table) throws Exception {
            this.table = table;
            disk = IOManager.create(System.getProperty("java.io.tmpdir"));
            query = table.newLocalTableQuery().withIOManager(disk);
            for (DataSplit split : table.newSnapshotReader().read().dataSplits()) {
                query.refreshFiles(split.partition(), split.bucket(), List.of(), split.dataFiles());
            }
            server = new KvQueryServer(
                    0, 1, "localhost", List.of(0).iterator(), 1, 1, query, new DisabledServiceRequestStats());
            try {
                server.start();
            } catch (Throwable e) {
                throw new IllegalStateException("the query service does not start", e);
            }
            table.store().newServiceManager().resetService(ServiceManager.PRIMARY_KEY_LOOKUP, new InetSocketAddress[] {
                server.getServerAddress()
            });
        }

        @Override
        public void close() throws Exception {
            table.store().newServiceManager().deleteService(ServiceManager.PRIMARY_KEY_LOOKUP);
            server.shutdown();
            query.close();
            disk.close();
        }
    }

    Service serve() throws Exception {
        return new Service((FileStoreTable) catalog.getTable(NAME));
    }

    void drop() throws Exception {
        catalog.dropTable(NAME, false);
    }

    void createAgain() throws Exception {
        catalog.createTable(NAME, schema, false);
    }

    /** Strings are taken as the engine's strings, all else as it is. */
    static GenericRow row(RowKind kind, Object... values) {
        GenericRow row = new GenericRow(kind, values.length);
        for (int i = 0; i < values.length; i++) {
            row.setField(i, values[i] instanceof String text ? BinaryString.fromString(text) : values[i]);
        }
        return row;
    }

    public static GenericRow row(Object... values) {
        return row(RowKind.INSERT, values);
    }

    @Override
    public void close() throws Exception {
        catalog.close();
    }
}
