/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.TestTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotFollowerTest {

    @TempDir
    Path folder;

    private TestTables tables;
    private Table table;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
        table = tables.create(
                "t", Schema.newBuilder().column("id", DataTypes.BIGINT()).build());
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private void write(long id) throws Exception {
        TestTables.write(table, GenericRow.of(id));
    }

    private void writeWithWatermark(long id, long watermark) throws Exception {
        StreamWriteBuilder builder = table.newStreamWriteBuilder();
        try (StreamTableWrite write = builder.newWrite();
                TableCommitImpl commit = (TableCommitImpl) builder.newCommit()) {
            write.write(GenericRow.of(id));
            ManifestCommittable committable = new ManifestCommittable(1, watermark);
            write.prepareCommit(true, 1).forEach(committable::addFileCommittable);
            commit.commit(committable);
        }
    }

    private SnapshotFollower follower(Map<String, String> options, Long position) throws Exception {
        return SnapshotFollower.open(tables.open("t", options), ReadSpec.everything(), position);
    }

    private static List<Long> snapshots(SnapshotFollower.Step step) {
        assertThat(step).isInstanceOf(SnapshotFollower.Found.class);
        return ((SnapshotFollower.Found) step)
                .splits().stream()
                        .map((Split split) -> SplitOrigin.of(split).snapshotId())
                        .distinct()
                        .toList();
    }

    /** Waiting after each of them, a read of one partition would fall behind a table that gets many others. */
    @Test
    void snapshotsOfWhichNothingIsLeftArePassedWithoutAWait() throws Exception {
        Table parts = tables.create(
                "p",
                Schema.newBuilder()
                        .column("id", DataTypes.BIGINT())
                        .column("part", DataTypes.INT())
                        .partitionKeys("part")
                        .build());
        TestTables.write(parts, GenericRow.of(1L, 1));
        ReadSpec one = ReadSpec.everything().withFilters(List.of(new PredicateBuilder(parts.rowType()).equal(1, 1)));
        SnapshotFollower follower = SnapshotFollower.open(tables.open("p"), one, null);
        assertThat(snapshots(follower.next())).containsExactly(1L);

        TestTables.write(parts, GenericRow.of(2L, 2));
        TestTables.write(parts, GenericRow.of(3L, 3));
        TestTables.write(parts, GenericRow.of(4L, 1));

        assertThat(snapshots(follower.next())).containsExactly(4L);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Waiting(5L));
    }

    @Test
    void aReadOfWhatIsToComeFindsItsPlaceBeforeItWaits() throws Exception {
        write(1);
        SnapshotFollower follower = follower(Map.of("scan.mode", "latest"), null);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Found(List.of(), 2));
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Waiting(2L));
    }

    @Test
    void waitsForTheFirstSnapshotThenGivesEachOne() throws Exception {
        SnapshotFollower follower = follower(Map.of(), null);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Waiting(null));

        write(1);
        write(2);

        assertThat(snapshots(follower.next())).containsExactly(2L);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Waiting(3L));
        write(3);
        assertThat(snapshots(follower.next())).containsExactly(3L);
    }

    @Test
    void goesOnFromAPosition() throws Exception {
        write(1);
        write(2);
        write(3);

        SnapshotFollower follower = follower(Map.of(), 2L);

        assertThat(snapshots(follower.next())).containsExactly(2L);
        assertThat(snapshots(follower.next())).containsExactly(3L);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Waiting(4L));
    }

    @Test
    void anExpiredPositionFailsAtOnceAndSaysWhatThereIs() throws Exception {
        write(1);
        write(2);
        write(3);
        table.newExpireSnapshots()
                .config(ExpireConfig.builder()
                        .snapshotRetainMin(1)
                        .snapshotRetainMax(1)
                        .build())
                .expire();

        assertThatThrownBy(() -> follower(Map.of(), 1L))
                .isInstanceOf(ReadException.class)
                .hasMessageStartingWith("Table test.db.t cannot be read on at snapshot 1: that snapshot has expired")
                .hasMessageContaining("it has snapshots 3 to 3")
                .hasMessageContaining("'consumer-id'");
    }

    @Test
    void endsBehindTheBoundingWatermarkAlsoWhenRestoredThere() throws Exception {
        writeWithWatermark(1, 100);
        writeWithWatermark(2, 200);
        Map<String, String> bound = Map.of("scan.bounded.watermark", "150");

        SnapshotFollower follower = follower(bound, null);
        assertThat(snapshots(follower.next())).containsExactly(2L);
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Ended());
        assertThat(follower.next()).isEqualTo(new SnapshotFollower.Ended());

        assertThat(follower(bound, 3L).next()).isEqualTo(new SnapshotFollower.Ended());
    }

    @Test
    void aDamagedSnapshotIsNamed() throws Exception {
        write(1);
        Files.writeString(tables.path("t").resolve("snapshot").resolve("snapshot-1"), "{");

        SnapshotFollower follower = follower(Map.of(), null);

        assertThatThrownBy(follower::next)
                .isInstanceOf(ReadException.class)
                .hasMessageStartingWith("Table test.db.t cannot be planned: ")
                .hasMessageContaining("metadata files are complete");
    }
}
