/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table without partitions; those with some are tested through SQL. */
final class FormatFilesTest {

    @TempDir
    Path folder;

    private StoreTable table() {
        String location = folder.resolve("t").toUri().toString();
        FormatTable table = FormatTable.builder()
                .fileIO(LocalFileIO.create())
                .identifier(Identifier.create("db", "t"))
                .rowType(DataTypes.ROW(DataTypes.FIELD(0, "id", DataTypes.INT())))
                .partitionKeys(List.of())
                .location(location)
                .format(FormatTable.Format.PARQUET)
                .options(Map.of("path", location, "file.format", "parquet", "format-table.file.compression", "none"))
                .build();
        return StoreTable.of("p.db.t", table);
    }

    private static List<byte[]> written(StoreTable table, int... ids) throws Exception {
        try (FormatFiles files = FormatFiles.open(table)) {
            for (int id : ids) {
                files.write(GenericRow.of(id));
            }
            return files.finish();
        }
    }

    private static List<Integer> ids(StoreTable table) throws Exception {
        ReadBuilder read = table.table().newReadBuilder();
        List<Integer> ids = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining((InternalRow row) -> ids.add(row.getInt(0)));
        }
        return ids;
    }

    @Test
    void filesAreSeenOnceTheyAreShown() throws Exception {
        StoreTable table = table();
        List<byte[]> files = new ArrayList<>(written(table, 1, 2));
        files.addAll(written(table, 3));
        assertThat(ids(table)).isEmpty();
        FormatFiles.show(table, null, files);
        assertThat(ids(table)).containsExactlyInAnyOrder(1, 2, 3);
        FormatFiles.show(table, Map.of(), written(table, 4));
        assertThat(ids(table)).containsExactly(4);
        FormatFiles.show(table, null, List.of());
        assertThat(ids(table)).containsExactly(4);
        FormatFiles.show(table, Map.of(), List.of());
        assertThat(ids(table)).isEmpty();
    }

    @Test
    void aWriterThatIsGivenUpLeavesNothing() throws Exception {
        StoreTable table = table();
        try (FormatFiles files = FormatFiles.open(table)) {
            files.write(GenericRow.of(1));
        }
        assertThat(ids(table)).isEmpty();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.endsWith(".parquet"));
        }
    }
}
