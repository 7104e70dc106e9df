/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;

/** A warehouse folder with catalog {@code p} of this connector in use; used on the thread that made it. */
public final class Warehouse {

    private final Path folder;
    private final TableEnvironment env;

    public Warehouse(Path folder) {
        this(folder, EnvironmentSettings.inBatchMode());
    }

    public Warehouse(Path folder, EnvironmentSettings settings) {
        this.folder = folder;
        this.env = TableEnvironment.create(settings);
        sql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
        sql("USE CATALOG p");
    }

    public TableEnvironment env() {
        return env;
    }

    public FlinkCatalog catalog() {
        return (FlinkCatalog) env.getCatalog("p").orElseThrow();
    }

    public Path tableFolder(String table) {
        return folder.resolve("default.db").resolve(table);
    }

    public void sql(String statement) {
        env.executeSql(statement);
    }

    public List<Row> rows(String statement) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(statement).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }

    /** First columns of the result as text. */
    public List<String> names(String statement) throws Exception {
        return rows(statement).stream().map(r -> String.valueOf(r.getField(0))).toList();
    }

    /** Writes and commits with the engine alone, as another of its users would. */
    public void commit(String table, InternalRow... rows) throws Exception {
        Table target = catalog().catalog().getTable(Identifier.create("default", table));
        BatchWriteBuilder builder = target.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (InternalRow row : rows) {
                write.write(row);
            }
            commit.commit(write.prepareCommit());
        }
    }

    /** What a table has, read by the engine alone: rows as "a|b|c", sorted. */
    public List<String> stored(String table) throws Exception {
        Table source = catalog().catalog().getTable(Identifier.create("default", table));
        List<InternalRow.FieldGetter> getters = new ArrayList<>();
        for (DataField field : source.rowType().getFields()) {
            getters.add(InternalRow.createFieldGetter(field.type(), getters.size()));
        }
        ReadBuilder read = source.newReadBuilder();
        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(getters.stream()
                    .map(getter -> String.valueOf(getter.getFieldOrNull(row)))
                    .collect(Collectors.joining("|"))));
        }
        rows.sort(null);
        return rows;
    }

    /** Puts all files of each bucket of a table without partitions into one, as the dedicated job of an engine does. */
    public void compactFully(String table, int buckets) throws Exception {
        Table target = catalog().catalog().getTable(Identifier.create("default", table));
        BatchWriteBuilder builder = target.newBatchWriteBuilder();
        try (IOManager disk = IOManager.create(System.getProperty("java.io.tmpdir"));
                BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withIOManager(disk);
            for (int bucket = 0; bucket < buckets; bucket++) {
                write.compact(BinaryRow.EMPTY_ROW, bucket, true);
            }
            commit.commit(write.prepareCommit());
        }
    }
}
