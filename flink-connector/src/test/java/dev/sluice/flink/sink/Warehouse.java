/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;

/** Tables (id BIGINT, part INT, note STRING) made and read with nothing but the engine. */
final class Warehouse {

    private final FileSystemCatalog catalog;
    private final Path folder;

    Warehouse(Path folder) throws Exception {
        this.folder = folder;
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    StoreTable create(String name, List<String> primaryKey, List<String> partition, Map<String, String> options)
            throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.BIGINT())
                .column("part", DataTypes.INT())
                .column("note", DataTypes.STRING())
                .partitionKeys(partition)
                .options(options);
        if (!primaryKey.isEmpty()) {
            schema.primaryKey(primaryKey);
        }
        Identifier identifier = Identifier.create("db", name);
        catalog.createTable(identifier, schema.build(), false);
        return StoreTable.of("paimon.db." + name, catalog.getTable(identifier));
    }

    Path pathOf(String name) {
        return folder.resolve("db.db").resolve(name);
    }

    FileStoreTable open(String name) throws Exception {
        return (FileStoreTable) catalog.getTable(Identifier.create("db", name));
    }

    /** Rows as "id|part|note", unsorted. */
    List<String> rows(String name) throws Exception {
        ReadBuilder read = open(name).newReadBuilder();
        List<String> rows = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(text(row)));
        }
        return rows;
    }

    private static String text(InternalRow row) {
        return row.getLong(0) + "|" + row.getInt(1) + "|" + (row.isNullAt(2) ? "null" : row.getString(2));
    }

    /** Commit identifier of each snapshot by snapshot id, of adding commits only. */
    Map<Long, Long> commits(String name) throws Exception {
        Map<Long, Long> result = new TreeMap<>();
        for (var snapshots = open(name).snapshotManager().snapshots(); snapshots.hasNext(); ) {
            Snapshot snapshot = snapshots.next();
            if (snapshot.commitKind() != Snapshot.CommitKind.COMPACT) {
                result.put(snapshot.id(), snapshot.commitIdentifier());
            }
        }
        return result;
    }

    /** The size of the newest snapshot's data files. */
    long bytes(String name) throws Exception {
        return open(name).newSnapshotReader().read().dataSplits().stream()
                .flatMap(split -> split.dataFiles().stream())
                .mapToLong(DataFileMeta::fileSize)
                .sum();
    }

    void drop(String name) throws Exception {
        catalog.dropTable(Identifier.create("db", name), false);
    }

    boolean hasSnapshot(String name) throws Exception {
        return open(name).snapshotManager().latestSnapshotId() != null;
    }

    /** As if another job had gone on writing for hours: only its newest snapshot is left. */
    void expireAllButOneSnapshotOfAnotherJob(String name) throws Exception {
        FileStoreTable table = open(name);
        try (TableCommitImpl other = table.newCommit("another job")) {
            other.ignoreEmptyCommit(false);
            other.commit(1, List.of());
        }
        table.newExpireSnapshots()
                .config(ExpireConfig.builder()
                        .snapshotRetainMin(1)
                        .snapshotRetainMax(1)
                        .build())
                .expire();
        if (table.snapshotManager().snapshotCount() != 1) {
            throw new IllegalStateException("snapshots of table " + name + " did not expire");
        }
    }
}
