/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.CommitSettings.PartitionDone;
import dev.sluice.flink.settings.WriteSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartitionMarksTest {

    private static final String OLD = "dt=2026-01-01/";

    @TempDir
    Path folder;

    private Instant now =
            LocalDateTime.of(2026, 1, 1, 12, 0).atZone(ZoneId.systemDefault()).toInstant();

    private StoreTable table(Map<String, String> options) throws Exception {
        FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("dt", DataTypes.STRING())
                .partitionKeys("dt")
                .options(options)
                .build();
        catalog.createTable(Identifier.create("db", "t"), schema, false);
        return StoreTable.of("p.db.t", catalog.getTable(Identifier.create("db", "t")));
    }

    private static PartitionDone settings(Map<String, String> options) {
        return WriteSettings.from(Configuration.fromMap(options)).commit().partitionDone();
    }

    private static final Map<String, String> HOUR_AFTER_A_DAY =
            Map.of("partition.idle-time-to-done", "1 h", "partition.time-interval", "1 d");

    private PartitionMarks marks(StoreTable table, Map<String, String> options) {
        PartitionMarks marks = PartitionMarks.of(table, settings(options), () -> now);
        assertThat(marks).isNotNull();
        return marks;
    }

    private PendingCommit rows(StoreTable table, Long watermark, String... partitions) throws Exception {
        String[] temp = {Files.createTempDirectory(folder, "temp").toString()};
        try (TableWriter writer = TableWriter.open(table, "user", temp, false)) {
            for (String partition : partitions) {
                writer.write(GenericRow.of(1, BinaryString.fromString(partition)), 0);
            }
            return new PendingCommit(1, watermark, writer.prepareCommit(true, 1));
        }
    }

    private boolean marked(String partition) {
        return Files.exists(folder.resolve("db.db/t/" + partition + "_SUCCESS"));
    }

    @Test
    void aPartitionIsMarkedOnceItsTimeIsOverAndNoRowsHaveComeForAWhile() throws Exception {
        StoreTable table = table(Map.of());
        PartitionMarks marks = marks(table, HOUR_AFTER_A_DAY);
        marks.note(rows(table, null, "2026-01-01", "2026-01-02"));
        assertThat(marks.waiting()).containsExactly(OLD, "dt=2026-01-02/");

        now = now.plus(Duration.ofHours(13)); // the day is over, the hour is not
        marks.mark(null, false);
        assertThat(marked(OLD)).isFalse();

        now = now.plus(Duration.ofMinutes(1));
        marks.mark(null, false);
        assertThat(marked(OLD)).isTrue();
        assertThat(marks.waiting()).containsExactly("dt=2026-01-02/");
    }

    @Test
    void lateRowsPutTheMarkOff() throws Exception {
        StoreTable table = table(Map.of());
        PartitionMarks marks = marks(table, HOUR_AFTER_A_DAY);
        now = now.plus(Duration.ofDays(10));
        marks.note(rows(table, null, "2026-01-01"));
        now = now.plus(Duration.ofHours(1));
        marks.mark(null, false);
        assertThat(marked(OLD)).isFalse();
        now = now.plus(Duration.ofMinutes(1));
        marks.mark(null, false);
        assertThat(marked(OLD)).isTrue();
    }

    @Test
    void theWatermarkDecidesIfItIsAskedFor() throws Exception {
        StoreTable table = table(Map.of());
        PartitionMarks marks = marks(
                table,
                Map.of(
                        "partition.idle-time-to-done", "1 h",
                        "partition.time-interval", "1 d",
                        "partition.mark-done-action.mode", "watermark"));
        long day = LocalDateTime.of(2026, 1, 2, 0, 0).toInstant(ZoneOffset.UTC).toEpochMilli();
        marks.note(rows(table, null, "2026-01-01"));
        assertThat(marks.waiting()).isEmpty();
        marks.note(rows(table, day - 1000, "2026-01-01"));
        now = now.plus(Duration.ofDays(1000));
        marks.mark(null, false);
        marks.mark(day + 3_600_000, false);
        assertThat(marked(OLD)).isFalse();
        marks.mark(day + 3_600_001, false);
        assertThat(marked(OLD)).isTrue();
    }

    @Test
    void theEndOfTheInputMarksAllIfItIsAskedFor() throws Exception {
        StoreTable table = table(Map.of("partition.end-input-to-done", "true"));
        PartitionMarks marks = marks(table, Map.of());
        marks.note(rows(table, null, "2026-01-01", "no date"));
        marks.mark(null, false);
        assertThat(marked(OLD)).isFalse();
        marks.mark(null, true);
        assertThat(marked(OLD)).isTrue();
        assertThat(marked("dt=no date/")).isTrue();
        assertThat(marks.waiting()).isEmpty();
    }

    @Test
    void aMarkThatFailsIsTriedAgain() throws Exception {
        StoreTable table = table(Map.of());
        PartitionMarks marks = marks(table, HOUR_AFTER_A_DAY);
        marks.note(rows(table, null, "2026-01-01"));
        now = now.plus(Duration.ofDays(3));
        Path partition = folder.resolve("db.db/t/" + OLD);
        Path away = folder.resolve("away");
        Files.move(partition, away);
        Files.writeString(partition, "a file where a folder belongs");
        marks.mark(null, false);
        assertThat(marks.waiting()).containsExactly(OLD);
        Files.delete(partition);
        Files.move(away, partition);
        marks.mark(null, false);
        assertThat(marked(OLD)).isTrue();
    }

    @Test
    void partitionsThatWaitSurviveARestartUnlessThatIsSwitchedOff() throws Exception {
        StoreTable table = table(Map.of());
        PartitionMarks marks = marks(table, HOUR_AFTER_A_DAY);
        marks.restore(List.of(OLD));
        assertThat(marks.waiting()).containsExactly(OLD);
        PartitionMarks forgetful = marks(
                table,
                Map.of(
                        "partition.idle-time-to-done", "1 h",
                        "partition.time-interval", "1 d",
                        "partition.mark-done.recover-from-state", "false"));
        forgetful.restore(List.of(OLD));
        assertThat(forgetful.waiting()).isEmpty();
    }

    @Test
    void partitionsAreLeftAloneUnlessAnOptionAsksForMarks() throws Exception {
        assertThat(PartitionMarks.of(table(Map.of()), settings(Map.of()), () -> now))
                .isNull();
    }
}
