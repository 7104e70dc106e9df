/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.WriteSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.AppendDeleteFileMaintainer;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges of small files of tables whose rows are more than the columns in their files. */
final class SmallFilesTest {

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;
    private long checkpoint;

    @BeforeEach
    void openCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(String option) throws Exception {
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .options(Map.of("compaction.min.file-num", "3", option, "true"))
                .build();
        catalog.createTable(Identifier.create("db", "t"), schema, false);
        return StoreTable.of("p.db.t", catalog.getTable(Identifier.create("db", "t")));
    }

    private void commit(StoreTable table, List<CommitMessage> messages) throws Exception {
        try (Committer committer = SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit())) {
            committer.commit(List.of(new PendingCommit(++checkpoint, null, messages)));
        }
    }

    /** One file. */
    private void write(StoreTable table, int... ids) throws Exception {
        String[] temp = {Files.createTempDirectory(folder, "temp").toString()};
        try (TableWriter writer = TableWriter.open(table, "user", temp, false)) {
            for (int id : ids) {
                writer.write(GenericRow.of(id), TableWriter.NO_BUCKET);
            }
            commit(table, writer.prepareCommit(false, checkpoint + 1));
        }
    }

    private void merge(StoreTable table) throws Exception {
        try (SmallFileRewriter rewriter = new SmallFileRewriter(table, "user")) {
            List<CommitMessage> merged = new ArrayList<>();
            for (byte[] task : new SmallFilePlanner(table).plan()) {
                merged.add(rewriter.rewrite(task));
            }
            commit(table, merged);
        }
    }

    private static List<DataFileMeta> files(StoreTable table) {
        return table.fileStore().newSnapshotReader().read().dataSplits().stream()
                .flatMap(split -> split.dataFiles().stream())
                .toList();
    }

    /** Columns of the rows of a table, the first one an INT and the second, if there is one, a BIGINT. */
    private static Map<Integer, Long> rows(Table table, String... columns) throws Exception {
        int[] places = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            places[i] = table.rowType().getFieldIndex(columns[i]);
        }
        ReadBuilder read = table.newReadBuilder().withProjection(places);
        Map<Integer, Long> rows = new HashMap<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(
                    (InternalRow row) -> assertThat(rows.put(row.getInt(0), columns.length < 2 ? 0 : row.getLong(1)))
                            .as("id %s", row.getInt(0))
                            .isNull());
        }
        return rows;
    }

    /** As an engine does that deletes rows without writing files anew. */
    private void deleteSecondRowOfEach(StoreTable table) throws Exception {
        FileStoreTable store = table.fileStore();
        AppendDeleteFileMaintainer deletes = BaseAppendDeleteFileMaintainer.forUnawareAppend(
                store.store().newIndexFileHandler(), store.snapshotManager().latestSnapshot(), BinaryRow.EMPTY_ROW);
        for (DataFileMeta file : files(table)) {
            DeletionVector vector = new BitmapDeletionVector();
            vector.delete(1);
            deletes.notifyNewDeletionVector(file.fileName(), vector);
        }
        List<IndexFileMeta> indexes =
                deletes.persist().stream().map(IndexManifestEntry::indexFile).toList();
        commit(
                table,
                List.of(new CommitMessageImpl(
                        BinaryRow.EMPTY_ROW,
                        0,
                        -1,
                        new DataIncrement(List.of(), List.of(), List.of(), indexes, List.of()),
                        CompactIncrement.emptyIncrement())));
    }

    @Test
    void deletedRowsStayDeleted() throws Exception {
        StoreTable table = table("deletion-vectors.enabled");
        write(table, 1, 2);
        write(table, 3, 4);
        write(table, 5, 6);
        deleteSecondRowOfEach(table);
        assertThat(rows(table.table(), "id")).containsOnlyKeys(1, 3, 5);

        merge(table);

        assertThat(files(table))
                .hasSize(1)
                .allSatisfy(file -> assertThat(file.rowCount()).isEqualTo(3));
        assertThat(rows(table.table(), "id")).containsOnlyKeys(1, 3, 5);
        write(table, 7);
        assertThat(rows(table.table(), "id")).containsOnlyKeys(1, 3, 5, 7);
    }

    @Test
    void rowsKeepTheirIds() throws Exception {
        StoreTable table = table("row-tracking.enabled");
        write(table, 10, 20);
        write(table, 30);
        write(table, 40, 50);
        Table tracked = catalog.getTable(Identifier.create("db", "t$row_tracking"));
        Map<Integer, Long> before = rows(tracked, "id", "_ROW_ID");
        Map<Integer, Long> writtenBefore = rows(tracked, "id", "_SEQUENCE_NUMBER");
        assertThat(before).hasSize(5);
        assertThat(before.values()).doesNotHaveDuplicates();

        merge(table);

        assertThat(files(table)).hasSize(1);
        assertThat(rows(tracked, "id", "_ROW_ID")).isEqualTo(before);
        assertThat(rows(tracked, "id", "_SEQUENCE_NUMBER")).isEqualTo(writtenBefore);
        write(table, 60);
        assertThat(rows(tracked, "id", "_ROW_ID")).hasSize(6).containsAllEntriesOf(before);
    }
}
