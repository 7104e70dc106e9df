/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.CommitCallback;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A storage, a table and callbacks that do not do what a committer expects of them. */
final class CommitTroubleTest {

    private static final Identifier NAME = Identifier.create("db", "t");

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    /** Always fails after a snapshot is made. Public and with this constructor because the engine makes it. */
    public static final class FailingCallback implements CommitCallback {
        public FailingCallback() {}

        @Override
        public void call(Context context) {
            throw new IllegalStateException("the listener is out of order");
        }

        @Override
        public void retry(ManifestCommittable committable) {
            throw new IllegalStateException("the listener is still out of order");
        }

        @Override
        public void close() {}
    }

    /** Has no room for manifests. */
    private static final class FullDisk extends LocalFileIO {
        private static final long serialVersionUID = 1L;

        @Override
        public PositionOutputStream newOutputStream(org.apache.paimon.fs.Path path, boolean overwrite)
                throws IOException {
            if (path.getName().startsWith("manifest")) {
                throw new IOException("No space left on device");
            }
            return super.newOutputStream(path, overwrite);
        }
    }

    @BeforeEach
    void makeCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(Map<String, String> options) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("bucket", "1"));
        all.putAll(options);
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.INT())
                .primaryKey("id")
                .options(all)
                .build();
        catalog.createTable(NAME, schema, false);
        return StoreTable.of("p.db.t", catalog.getTable(NAME));
    }

    private PendingCommit commit(StoreTable table, long checkpointId, Long watermark, int id) throws Exception {
        String[] temp = {Files.createTempDirectory(folder, "temp").toString()};
        try (TableWriter writer = TableWriter.open(table, "user", temp, false)) {
            writer.write(GenericRow.of(id, id), 0);
            List<CommitMessage> messages = writer.prepareCommit(true, checkpointId);
            return new PendingCommit(checkpointId, watermark, messages);
        }
    }

    private static SnapshotCommitter open(StoreTable table) {
        return SnapshotCommitter.open(table, "user", null, new WriteSettings(null).commit());
    }

    private static List<String> snapshots(StoreTable table) throws Exception {
        List<String> result = new ArrayList<>();
        for (var all = table.fileStore().snapshotManager().snapshots(); all.hasNext(); ) {
            Snapshot one = all.next();
            result.add(one.commitIdentifier() + " " + one.commitKind());
        }
        return result;
    }

    @Test
    void aCallbackThatFailsDoesNotFailTheCommit() throws Exception {
        StoreTable table =
                table(Map.of("changelog-producer", "lookup", "commit.callbacks", FailingCallback.class.getName()));
        try (Committer committer = open(table)) {
            committer.commit(List.of(commit(table, 1, null, 1)));
            committer.commit(List.of(commit(table, 2, null, 2)));
            PendingCommit third = commit(table, 3, null, 3);
            assertThat(committer.recover(3, List.of(third)).snapshots()).isPositive();
            committer.recover(3, List.of(third));
        }
        assertThat(snapshots(table))
                .containsExactly("1 APPEND", "1 COMPACT", "2 APPEND", "2 COMPACT", "3 APPEND", "3 COMPACT");
    }

    @Test
    void aFullDiskIsNamedAndLeavesTheLastSnapshotAlone() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table)) {
            committer.commit(List.of(commit(table, 1, null, 1)));
        }
        FileStoreTable stored = table.fileStore();
        StoreTable full = StoreTable.of(
                "p.db.t",
                FileStoreTableFactory.create(
                        new FullDisk(), stored.location(), stored.schema(), stored.catalogEnvironment()));
        PendingCommit second = commit(table, 2, null, 2);
        try (Committer committer = open(full)) {
            assertThatThrownBy(() -> committer.commit(List.of(second)))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessage("Committing checkpoint 2 failed for table p.db.t: IOException, No space left on device."
                            + " Committed snapshots are untouched. Flink restarts the job from its last checkpoint if a"
                            + " restart strategy is set, and then commits exactly what is missing.");
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND");
        try (Committer committer = open(table)) {
            assertThat(committer.recover(2, List.of(second)).snapshots()).isOne();
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "2 APPEND");
    }

    @Test
    void aBucketCountThatIsNotTheStoredFilesIsNamedWithAdvice() throws Exception {
        StoreTable one = table(Map.of("write-only", "true", "write.sequence-number-init-mode", "snapshot"));
        StoreTable two = StoreTable.of("p.db.t", one.fileStore().copyWithoutTimeTravel(Map.of()));
        PendingCommit first = commit(one, 1, null, 1);
        catalog.alterTable(NAME, List.of(org.apache.paimon.schema.SchemaChange.setOption("bucket", "2")), false);
        StoreTable altered = StoreTable.of("p.db.t", catalog.getTable(NAME));
        PendingCommit second = commit(altered, 1, null, 2);
        try (Committer committer = open(two);
                Committer later = SnapshotCommitter.open(altered, "other", null, new WriteSettings(null).commit())) {
            committer.commit(List.of(first));
            assertThatThrownBy(() -> later.commit(List.of(second)))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageStartingWith("Committing checkpoint 1 failed for table p.db.t: ")
                    .hasMessageContaining("bucket num 2, but the previous bucket num is 1")
                    .hasMessageContaining("The job cannot go on: set 'bucket' back");
        }
        assertThat(snapshots(one)).containsExactly("1 APPEND");
    }

    @Test
    void aRolledBackTableTakesTheRowsToCome() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table)) {
            committer.commit(List.of(commit(table, 1, null, 1)));
            committer.commit(List.of(commit(table, 2, null, 2)));
            table.fileStore().rollbackTo(1);
            committer.commit(List.of(commit(table, 3, null, 3)));
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "3 APPEND");
    }

    @Test
    void columnsThatAreAddedMeanwhileDoNotMatter() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table)) {
            PendingCommit first = commit(table, 1, null, 1);
            catalog.alterTable(
                    NAME, List.of(org.apache.paimon.schema.SchemaChange.addColumn("w", DataTypes.INT())), false);
            committer.commit(List.of(first));
            committer.commit(List.of(commit(table, 2, null, 2)));
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "2 APPEND");
    }

    @Test
    void theWatermarkOfSnapshotsNeverGoesBack() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table)) {
            committer.commit(List.of(commit(table, 1, 500L, 1), commit(table, 2, null, 2), commit(table, 3, 400L, 3)));
        }
        // A new job without a watermark, and one that starts behind.
        try (Committer committer = SnapshotCommitter.open(table, "new", null, new WriteSettings(null).commit())) {
            committer.commit(List.of(commit(table, 1, null, 4), commit(table, 2, 100L, 5), commit(table, 3, 600L, 6)));
        }
        List<Long> watermarks = new ArrayList<>();
        table.fileStore().snapshotManager().snapshots().forEachRemaining(one -> watermarks.add(one.watermark()));
        assertThat(watermarks).containsExactly(500L, 500L, 500L, 500L, 500L, 600L);
    }

    @Test
    void aSavepointsTagIsTheNewestSnapshotUpToIt() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table)) {
            committer.tagSavepoint(1);
            committer.commit(List.of(commit(table, 2, null, 1), commit(table, 5, null, 2)));
            committer.tagSavepoint(4);
            committer.tagSavepoint(5);
            committer.tagSavepoint(6);
            committer.untagSavepoint(6);
            committer.finish();
        }
        Map<String, Long> tags = new HashMap<>();
        table.fileStore()
                .tagManager()
                .tagObjects()
                .forEach(tag -> tags.put(tag.getValue(), tag.getKey().id()));
        assertThat(tags).isEqualTo(Map.of("savepoint-4", 1L, "savepoint-5", 2L));
    }
}
