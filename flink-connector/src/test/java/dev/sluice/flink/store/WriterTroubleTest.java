/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A storage and a table that get in a writer's way. */
final class WriterTroubleTest {

    private static final Identifier NAME = Identifier.create("db", "t");

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    /** Takes so many bytes of data files. */
    private static final class FillingDisk extends LocalFileIO {
        private static final long serialVersionUID = 1L;
        private final AtomicLong left;

        FillingDisk(long bytes) {
            left = new AtomicLong(bytes);
        }

        @Override
        public PositionOutputStream newOutputStream(org.apache.paimon.fs.Path path, boolean overwrite)
                throws IOException {
            PositionOutputStream out = super.newOutputStream(path, overwrite);
            return path.getName().startsWith("data-") ? new Filling(out, left) : out;
        }
    }

    private static final class Filling extends PositionOutputStream {
        private final PositionOutputStream out;
        private final AtomicLong left;

        Filling(PositionOutputStream out, AtomicLong left) {
            this.out = out;
            this.left = left;
        }

        private void take(int bytes) throws IOException {
            if (left.addAndGet(-bytes) < 0) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            take(1);
            out.write(b);
        }

        @Override
        public void write(byte[] b) throws IOException {
            write(b, 0, b.length);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            take(len);
            out.write(b, off, len);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    @BeforeEach
    void makeCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(boolean keyed, Map<String, String> options) throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.STRING())
                .options(options);
        if (keyed) {
            schema.primaryKey("id").option("bucket", "1");
        }
        catalog.createTable(NAME, schema.build(), false);
        return stored();
    }

    private StoreTable stored() throws Exception {
        return StoreTable.of("p.db.t", catalog.getTable(NAME));
    }

    private static StoreTable on(LocalFileIO disk, StoreTable table) {
        FileStoreTable stored = table.fileStore();
        return StoreTable.of(
                table.name(),
                FileStoreTableFactory.create(disk, stored.location(), stored.schema(), stored.catalogEnvironment()));
    }

    private TableWriter writer(StoreTable table) {
        return TableWriter.open(
                table, "user", new String[] {folder.resolve("tmp").toString()}, false);
    }

    private static GenericRow row(int id, String v) {
        return GenericRow.of(id, BinaryString.fromString(v));
    }

    private void commit(StoreTable table, long checkpointId, GenericRow row) throws Exception {
        try (TableWriter writer = writer(table);
                Committer committer = SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit())) {
            writer.write(row, 0);
            committer.commit(List.of(new PendingCommit(checkpointId, null, writer.prepareCommit(true, checkpointId))));
        }
    }

    private List<String> rows() throws Exception {
        ReadBuilder read = stored().fileStore().newReadBuilder();
        List<String> result = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining((InternalRow row) -> result.add(row.getInt(0) + "|" + row.getString(1)));
        }
        return result;
    }

    private long dataFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("db.db/t"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-"))
                    .count();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullDiskIsNamedAndLeavesTheLastSnapshotAndNoFile(boolean keyed) throws Exception {
        StoreTable table = table(keyed, Map.of("target-file-size", "100 kb"));
        commit(table, 1, row(1, "a"));
        assertThatThrownBy(() -> {
                    try (TableWriter writer = writer(on(new FillingDisk(50_000), table))) {
                        for (int id = 2; id < 60_000; id++) {
                            writer.write(row(id, "v" + id * 7919L * 7919L), 0);
                        }
                        writer.prepareCommit(true, 2);
                    }
                })
                .isInstanceOf(WriteFailedException.class)
                .hasMessageMatching("(Writing a row|Flushing the files of checkpoint 2) failed for table p.db.t:"
                        + " (IOException, No space left on device|a data file could not be written to its end, as when a"
                        + " disk is full, and was removed .*). Committed snapshots are untouched. Check that every"
                        + " task manager can write under the table's path and has disk space left. The job starts again"
                        + " from its last checkpoint, if its restart strategy lets it.");
        assertThat(rows()).containsExactly("1|a");
        assertThat(dataFiles()).isOne();

        commit(table, 2, row(2, "b"));
        assertThat(rows()).containsExactlyInAnyOrder("1|a", "2|b");
    }

    @Test
    void aBucketCountThatIsNotTheStoredFilesIsNotTakenForABadRow() throws Exception {
        commit(table(true, Map.of()), 1, row(1, "a"));
        catalog.alterTable(NAME, SchemaChange.setOption("bucket", "2"), false);
        try (TableWriter writer = writer(stored())) {
            assertThatThrownBy(() -> writer.write(row(2, "b"), 0))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageStartingWith("Writing a row failed for table p.db.t: ")
                    .hasMessageContaining("new bucket num 2, but the previous bucket num is 1")
                    .hasMessageEndingWith(
                            "Committed snapshots are untouched. The job cannot go on: set 'bucket' back to"
                                    + " what the stored files have, or stop the job, rewrite the table or partition with INSERT"
                                    + " OVERWRITE in batch mode, and start it anew.");
        }
        assertThat(rows()).containsExactly("1|a");
    }

    @Test
    void aTableThatIsDroppedUnderAWriterIsNotMadeAgainByIt() throws Exception {
        StoreTable table = table(true, Map.of());
        commit(table, 1, row(1, "a"));
        try (TableWriter writer = writer(table);
                Committer committer = SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit())) {
            writer.write(row(2, "b"), 0);
            catalog.dropTable(NAME, false);
            PendingCommit second = new PendingCommit(2, null, writer.prepareCommit(true, 2));
            assertThatThrownBy(() -> committer.commit(List.of(second)))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageContaining("the table was dropped since the job was planned");
        }
        assertThat(catalog.listTables("db")).isEmpty();
    }

    @Test
    void columnsThatAreDroppedOrRenamedUnderAWriterDoNotStopIt() throws Exception {
        StoreTable table = table(true, Map.of());
        commit(table, 1, row(1, "a"));
        try (TableWriter writer = writer(table);
                Committer committer = SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit())) {
            writer.write(row(2, "b"), 0);
            catalog.alterTable(NAME, SchemaChange.renameColumn("v", "w"), false);
            committer.commit(List.of(new PendingCommit(2, null, writer.prepareCommit(true, 2))));
            writer.write(row(3, "c"), 0);
            committer.commit(List.of(new PendingCommit(3, null, writer.prepareCommit(true, 3))));
        }
        assertThat(rows()).containsExactlyInAnyOrder("1|a", "2|b", "3|c");
    }

    /** What the writer remembers of the bucket is gone: it says so, and a new one goes on. */
    @Test
    void aTableThatIsRolledBackUnderAWriterTakesTheRowsToCome() throws Exception {
        StoreTable table = table(true, Map.of("num-sorted-run.compaction-trigger", "3"));
        commit(table, 1, row(1, "a"));
        commit(table, 2, row(2, "b"));
        try (TableWriter writer = writer(table);
                Committer committer = SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit())) {
            writer.write(row(3, "c"), 0);
            table.fileStore().rollbackTo(1);
            PendingCommit third = new PendingCommit(3, null, writer.prepareCommit(true, 3));
            assertThatThrownBy(() -> committer.commit(List.of(third)))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageContaining("another writer has compacted, replaced or removed the same files")
                    .hasMessageContaining(
                            "run one compaction job beside them (CALL sys.compact in streaming mode), which"
                                    + " spares the restart. After it a lost compaction is left out, and no row is. Flink restarts");
            // As the restarted job does.
            assertThat(committer.recover(3, List.of(third)).snapshots()).isLessThanOrEqualTo(1);
        }
        commit(table, 4, row(4, "d"));
        assertThat(rows()).containsExactlyInAnyOrder("1|a", "3|c", "4|d");
    }
}
