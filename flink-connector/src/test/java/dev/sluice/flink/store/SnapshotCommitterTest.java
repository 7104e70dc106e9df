/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.WriteSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotCommitterTest {

    private static final String USER = "user";

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    @BeforeEach
    void makeCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(Map<String, String> options) throws Exception {
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.INT())
                .primaryKey("id")
                .option("bucket", "1")
                .options(options)
                .build();
        Identifier identifier = Identifier.create("db", "t");
        catalog.createTable(identifier, schema, false);
        return StoreTable.of("p.db.t", catalog.getTable(identifier));
    }

    private List<CommitMessage> write(StoreTable table, long checkpointId, boolean wait, int... ids) throws Exception {
        String[] temp = {Files.createTempDirectory(folder, "temp").toString()};
        try (TableWriter writer = TableWriter.open(table, USER, temp, false)) {
            for (int id : ids) {
                writer.write(GenericRow.of(id, id), 0);
            }
            return writer.prepareCommit(wait, checkpointId);
        }
    }

    private static SnapshotCommitter open(StoreTable table, String user) {
        return SnapshotCommitter.open(table, user, null, new WriteSettings(null).commit());
    }

    private static PendingCommit pending(long checkpointId, List<CommitMessage> messages) {
        return new PendingCommit(checkpointId, null, messages);
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
    void recoveryCommitsWhatIsMissingAndNothingTwice() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        PendingCommit first = pending(1, write(table, 1, false, 1));
        PendingCommit second = pending(2, write(table, 2, false, 2));
        try (Committer committer = open(table, USER)) {
            committer.commit(List.of(first));
            assertThat(committer.recover(2, List.of(first, second))).isEqualTo(new CommitSummary(2, 1, 0, 0, 1, 1));
            assertThat(committer.recover(2, List.of(first, second))).isEqualTo(CommitSummary.NOTHING);
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "2 APPEND");
    }

    @Test
    void recoveryCommitsACompactionThatAFailureCutOff() throws Exception {
        StoreTable table = table(Map.of("changelog-producer", "lookup"));
        List<CommitMessage> both = write(table, 1, true, 1, 2);
        assertThat(TableWriter.compacted(both)).isTrue();
        List<CommitMessage> firstHalf = new ArrayList<>();
        for (CommitMessage message : both) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            firstHalf.add(new CommitMessageImpl(
                    files.partition(),
                    files.bucket(),
                    files.totalBuckets(),
                    files.newFilesIncrement(),
                    CompactIncrement.emptyIncrement()));
        }
        try (Committer committer = open(table, USER)) {
            committer.commit(List.of(pending(1, firstHalf)));
        }
        try (Committer committer = open(table, USER)) {
            assertThat(committer.recover(1, List.of(pending(1, both))).snapshots())
                    .isOne();
            assertThat(committer.recover(1, List.of(pending(1, both)))).isEqualTo(CommitSummary.NOTHING);
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "1 COMPACT");
    }

    @Test
    void anotherUsersCommitsAreNotTakenForOurs() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer other = open(table, "other")) {
            other.commit(List.of(pending(9, write(table, 9, false, 1))));
        }
        try (Committer committer = open(table, USER)) {
            assertThat(committer
                            .recover(1, List.of(pending(1, write(table, 1, false, 2))))
                            .snapshots())
                    .isOne();
        }
        assertThat(snapshots(table)).containsExactly("9 APPEND", "1 APPEND");
    }

    @Test
    void snapshotsExpireBesideTheCommits() throws Exception {
        StoreTable table = table(Map.of(
                "snapshot.num-retained.min", "1",
                "snapshot.num-retained.max", "2",
                "num-sorted-run.compaction-trigger", "100"));
        try (Committer committer = open(table, USER)) {
            for (int checkpoint = 1; checkpoint <= 5; checkpoint++) {
                committer.commit(List.of(pending(checkpoint, write(table, checkpoint, false, checkpoint))));
            }
            committer.finish();
        }
        assertThat(snapshots(table)).containsExactly("4 APPEND", "5 APPEND");
    }

    @Test
    void anExpiryThatFailsDoesNotFailTheCommitsAfterIt() throws Exception {
        StoreTable table = table(Map.of(
                "snapshot.num-retained.min", "1",
                "snapshot.num-retained.max", "2",
                "num-sorted-run.compaction-trigger", "100"));
        List<PendingCommit> pending = new ArrayList<>();
        for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
            pending.add(pending(checkpoint, write(table, checkpoint, false, checkpoint)));
        }
        Path first = folder.resolve("db.db/t/snapshot/snapshot-1");
        try (Committer committer = open(table, USER)) {
            committer.commit(pending.subList(0, 2));
            // Expiry reads the snapshots it removes; this one it cannot read.
            Files.writeString(first, "{ not a snapshot");
            committer.commit(pending.subList(2, 3));
            committer.commit(pending.subList(3, 4));
            committer.finish();
        }
        assertThat(first).exists();
        assertThat(table.fileStore().snapshotManager().latestSnapshot())
                .extracting(Snapshot::commitIdentifier)
                .isEqualTo(4L);
    }

    @Test
    void aJobThatGoesOnFromBeforeItsOwnCommitsIsRefused() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        try (Committer committer = open(table, USER)) {
            committer.commit(List.of(pending(9, write(table, 9, false, 1))));
            assertThatThrownBy(() -> committer.recover(5, List.of()))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageStartingWith("Going on from checkpoint 5 failed for table p.db.t: IllegalStateException,"
                            + " the table already holds this job's commits up to checkpoint 9 (snapshot 1).")
                    .hasMessageContaining("CALL sys.rollback_to");
        }
    }

    @Test
    void aCompactionThatLostAgainstAnotherWritersDoesNotKeepTheJobFromStarting() throws Exception {
        StoreTable table = table(Map.of("changelog-producer", "lookup"));
        List<CommitMessage> rows = new ArrayList<>();
        List<CommitMessage> compaction = new ArrayList<>();
        for (CommitMessage message : write(table, 1, true, 1, 2)) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            rows.add(new CommitMessageImpl(
                    files.partition(),
                    files.bucket(),
                    files.totalBuckets(),
                    files.newFilesIncrement(),
                    CompactIncrement.emptyIncrement()));
            compaction.add(new CommitMessageImpl(
                    files.partition(),
                    files.bucket(),
                    files.totalBuckets(),
                    DataIncrement.emptyIncrement(),
                    files.compactIncrement()));
        }
        try (Committer committer = open(table, USER);
                Committer other = open(table, "other")) {
            committer.commit(List.of(pending(1, rows)));
            other.commit(List.of(pending(7, compaction)));
            assertThatThrownBy(() -> committer.commit(List.of(pending(2, compaction))))
                    .hasMessageStartingWith(
                            "Committing checkpoint 2 failed for table p.db.t: another writer has compacted")
                    .hasMessageContaining("'write-only' = 'true'");
            committer.recover(2, List.of(pending(2, compaction)));
            committer.recover(2, List.of(pending(2, compaction)));
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "7 COMPACT");
    }

    @Test
    void filesAreNotCommittedToATableThatWasDroppedOrMadeAgain() throws Exception {
        StoreTable table = table(Map.of("write-only", "true"));
        List<CommitMessage> files = write(table, 1, false, 1);
        catalog.dropTable(Identifier.create("db", "t"), false);
        try (Committer committer = open(table, USER)) {
            assertThatThrownBy(() -> committer.commit(List.of(pending(1, files))))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageContaining("the table was dropped since the job was planned");
        }
        StoreTable again = table(Map.of("write-only", "true"));
        try (Committer committer = open(table, USER)) {
            assertThatThrownBy(() -> committer.recover(1, List.of(pending(1, files))))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessageContaining("the table was dropped and created again since the job was planned");
        }
        assertThat(snapshots(again)).isEmpty();
    }

    @Test
    void aSchemaFromACatalogsServerIsTheTablesThoughItBearsAnotherTime() throws Exception {
        FileStoreTable stored = table(Map.of("write-only", "true")).fileStore();
        TableSchema loaded = new TableSchema(
                0,
                stored.schema().fields(),
                stored.schema().highestFieldId(),
                List.of(),
                List.of("id"),
                stored.schema().options(),
                null);
        assertThat(loaded.timeMillis()).isNotEqualTo(stored.schema().timeMillis());
        CatalogEnvironment server = new CatalogEnvironment(
                Identifier.create("db", "t"), "id on the server", null, null, null, null, false, false);
        StoreTable table = StoreTable.of(
                "p.db.t", FileStoreTableFactory.create(stored.fileIO(), stored.location(), loaded, server));
        try (Committer committer = open(table, USER)) {
            committer.commit(List.of(pending(1, write(table, 1, false, 1))));
            committer.commit(List.of(pending(2, write(table, 2, false, 2))));
        }
        assertThat(snapshots(table)).containsExactly("1 APPEND", "2 APPEND");
    }
}
