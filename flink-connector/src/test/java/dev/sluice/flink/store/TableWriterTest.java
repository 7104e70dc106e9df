/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableWriterTest {

    private static final int ROWS = 40_000;

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    @BeforeEach
    void openCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable keyed(Map<String, String> options) throws Exception {
        Map<String, String> all = new HashMap<>(options);
        all.put("bucket", "1");
        Identifier name = Identifier.create("db", "t");
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.STRING())
                .primaryKey("id")
                .options(all)
                .build();
        catalog.createTable(name, schema, false);
        return StoreTable.of("p.db.t", catalog.getTable(name));
    }

    private TableWriter writer(StoreTable table) {
        return TableWriter.open(
                table, "user", new String[] {folder.resolve("tmp").toString()}, false);
    }

    /** About 3 MB of rows: a buffer of 256 KB spills sorted runs to local disk, or writes a file each time it is full. */
    @ParameterizedTest
    @CsvSource({"true, 1, 1", "false, 5, 50"})
    void aFullBufferSpillsIfItMay(boolean spillable, int leastFiles, int mostFiles) throws Exception {
        StoreTable table = keyed(Map.of(
                "write-only", "true",
                "write-buffer-size", "256 kb",
                "write-buffer-spillable", String.valueOf(spillable)));
        try (TableWriter writer = writer(table)) {
            writeRows(writer);
            CommitMessageImpl files =
                    (CommitMessageImpl) writer.prepareCommit(true, 1).get(0);
            assertThat(files.newFilesIncrement().newFiles()).hasSizeBetween(leastFiles, mostFiles);
            assertThat(files.newFilesIncrement().newFiles().stream()
                            .mapToLong(file -> file.rowCount())
                            .sum())
                    .isEqualTo(ROWS);
        }
        // What it spilled is gone with the writer.
        assertThat(folder.resolve("tmp").toFile().list()).isNullOrEmpty();
    }

    private static void writeRows(TableWriter writer) throws Exception {
        for (int i = 0; i < ROWS; i++) {
            // A prime step scatters the keys.
            writer.write(GenericRow.of((int) (i * 7919L % ROWS), BinaryString.fromString("some text for row " + i)), 0);
        }
    }

    @Test
    void smallFilesAreMergedAsSoonAsThereAreTwoIfAskedFor() throws Exception {
        StoreTable table = keyed(Map.of("write-buffer-spillable", "false"));
        assertThat(filesAfterTwoFlushes(table)).isFalse();
        assertThat(filesAfterTwoFlushes(SmallFiles.mergedEagerly(table))).isTrue();
    }

    /** @return whether the second flush came with the result of a merge */
    private boolean filesAfterTwoFlushes(StoreTable table) throws Exception {
        try (TableWriter writer = writer(table)) {
            writer.write(GenericRow.of(1, BinaryString.fromString("a")), 0);
            writer.prepareCommit(true, 1);
            writer.write(GenericRow.of(2, BinaryString.fromString("b")), 0);
            List<CommitMessage> second = writer.prepareCommit(true, 2);
            return TableWriter.compacted(second);
        }
    }

    @Test
    void mergingSmallFilesOfATableThatLeavesItToOthersIsRefused() throws Exception {
        StoreTable table = keyed(Map.of("write-only", "true"));
        assertThatThrownBy(() -> SmallFiles.mergedEagerly(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("'compaction.optimization-enabled' is true for table p.db.t");
    }
}
