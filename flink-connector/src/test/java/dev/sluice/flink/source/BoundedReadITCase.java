/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.ExceptionUtils;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of every kind, read once through {@code env.fromSource}. */
final class BoundedReadITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    private static final ReadSettings SETTINGS = new ReadSettings(null, Duration.ofSeconds(10));

    @TempDir
    Path folder;

    private TestTables tables;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private static Schema.Builder columns() {
        return Schema.newBuilder()
                .column("id", DataTypes.BIGINT())
                .column("name", DataTypes.STRING())
                .column("price", DataTypes.DECIMAL(20, 2));
    }

    private static InternalRow row(long id, String name) {
        return GenericRow.of(id, BinaryString.fromString(name), null);
    }

    private static List<String> read(StoreTable table, ReadSpec spec) throws Exception {
        int columns = spec.readType(table).getFieldCount();
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<RowData> all = CLUSTER.env()
                .fromSource(
                        PaimonSource.of(table, spec, SETTINGS, Boundedness.BOUNDED),
                        WatermarkStrategy.noWatermarks(),
                        "Source: " + table.name())
                .executeAndCollect()) {
            while (all.hasNext()) {
                RowData row = all.next();
                assertThat(row.getRowKind()).isEqualTo(RowKind.INSERT);
                assertThat(row.getArity()).isEqualTo(columns);
                rows.add(columns == 0 ? "()" : columns == 1 ? row.getString(0).toString() : twoOf(row));
            }
        }
        return rows;
    }

    private static String twoOf(RowData row) {
        return row.getLong(0) + " " + row.getString(1);
    }

    private Table primaryKeyTable(String name) throws Exception {
        Table table = tables.create(
                name, columns().primaryKey("id").option("bucket", "2").build());
        TestTables.write(table, row(1, "one"), row(2, "two"), row(3, "three"));
        TestTables.write(
                table,
                row(2, "zwei"),
                GenericRow.ofKind(org.apache.paimon.types.RowKind.DELETE, 3L, BinaryString.fromString("three"), null));
        return table;
    }

    @Test
    void mergesTheRowsOfAPrimaryKeyTable() throws Exception {
        primaryKeyTable("t");

        assertThat(read(tables.open("t"), ReadSpec.everything())).containsExactlyInAnyOrder("1 one", "2 zwei");
    }

    @Test
    void readsAnAppendTableWhole() throws Exception {
        Table table = tables.create("t", columns().build());
        List<InternalRow> rows = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            rows.add(row(i, "n" + i));
            expected.add(i + " n" + i);
        }
        TestTables.write(table, false, rows);

        assertThat(read(tables.open("t"), ReadSpec.everything())).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void anEmptyTableGivesNothing() throws Exception {
        tables.create("t", columns().primaryKey("id").option("bucket", "1").build());

        assertThat(read(tables.open("t"), ReadSpec.everything())).isEmpty();
    }

    @Test
    void projectsInTheOrderAskedFor() throws Exception {
        primaryKeyTable("t");

        assertThat(read(tables.open("t"), ReadSpec.everything().withProjection(List.of(1))))
                .containsExactlyInAnyOrder("one", "zwei");
    }

    @Test
    void countsRowsWithoutAnyColumn() throws Exception {
        primaryKeyTable("keyed");
        Table append = tables.create("append", columns().build());
        TestTables.write(append, row(1, "a"), row(2, "b"), row(3, "c"));

        ReadSpec nothing = ReadSpec.everything().withProjection(List.of());
        assertThat(read(tables.open("keyed"), nothing)).hasSize(2);
        assertThat(read(tables.open("append"), nothing)).hasSize(3);
    }

    @Test
    void filtersLeaveOutPartitionsAndFiles() throws Exception {
        Table table = tables.create("t", columns().partitionKeys("name").build());
        TestTables.write(table, row(1, "a"), row(2, "b"), row(3, "b"));
        PredicateBuilder predicates = new PredicateBuilder(table.rowType());

        assertThat(read(
                        tables.open("t"),
                        ReadSpec.everything().withFilters(List.of(predicates.equal(1, BinaryString.fromString("b"))))))
                .containsExactlyInAnyOrder("2 b", "3 b");
    }

    @Test
    void aLimitStopsEachSplit() throws Exception {
        Table table = tables.create("t", columns().build());
        List<InternalRow> rows = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            rows.add(row(i, "n"));
        }
        TestTables.write(table, false, rows);

        assertThat(read(tables.open("t"), ReadSpec.everything().withLimit(7))).hasSize(7);
        assertThat(read(tables.open("t"), ReadSpec.everything().withLimit(Long.MAX_VALUE)))
                .hasSize(5000);
    }

    @Test
    void travelsToASnapshotAndATag() throws Exception {
        Table table = primaryKeyTable("t");
        table.createTag("first", 1);

        List<String> atFirst = List.of("1 one", "2 two", "3 three");
        assertThat(read(tables.open("t", Map.of("scan.snapshot-id", "1")), ReadSpec.everything()))
                .containsExactlyInAnyOrderElementsOf(atFirst);
        assertThat(read(tables.open("t", Map.of("scan.tag-name", "first")), ReadSpec.everything()))
                .containsExactlyInAnyOrderElementsOf(atFirst);
    }

    @Test
    void readsABranch() throws Exception {
        Table table = primaryKeyTable("t");
        table.createTag("first", 1);
        table.createBranch("dev", "first");

        assertThat(read(tables.open("t$branch_dev"), ReadSpec.everything()))
                .containsExactlyInAnyOrder("1 one", "2 two", "3 three");
    }

    @Test
    void readsSystemTables() throws Exception {
        primaryKeyTable("t");

        StoreTable snapshots = tables.open("t$snapshots");
        int kind = snapshots.rowType().getFieldIndex("commit_kind");
        assertThat(read(snapshots, ReadSpec.everything().withProjection(List.of(kind))))
                .containsExactlyInAnyOrder("APPEND", "APPEND");
        StoreTable audit = tables.open("t$audit_log");
        int rowKind = audit.rowType().getFieldIndex("rowkind");
        assertThat(read(audit, ReadSpec.everything().withProjection(List.of(rowKind))))
                .contains("+I", "-D");
    }

    @Test
    void readsAFormatTable() throws Exception {
        Table written = tables.create(
                "written", columns().option("file.format", "parquet").build());
        TestTables.write(written, row(1, "one"), row(2, "two"));
        StoreTable table = tables.formatTable("t", written.rowType());
        Files.copy(dataFile("written"), tables.path("t").resolve("part-0.parquet"));

        assertThat(read(table, ReadSpec.everything())).containsExactlyInAnyOrder("1 one", "2 two");
    }

    @Test
    void anAbsentSnapshotIsNamedWithTheOnesThereAre() throws Exception {
        primaryKeyTable("t");
        StoreTable travelling = tables.open("t", Map.of("scan.snapshot-id", "77"));

        assertThatThrownBy(() -> read(travelling, ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be planned")
                        .contains("77")
                        .contains("snapshots 1 to 2"));
    }

    @Test
    void aMissingDataFileIsNamed() throws Exception {
        Table table = tables.create("t", columns().build());
        TestTables.write(table, row(1, "a"));
        Path file = dataFile("t");
        Files.delete(file);

        assertThatThrownBy(() -> read(tables.open("t"), ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data file")
                        .contains(file.getFileName() + " of snapshot 1, bucket 0 is missing."));
    }

    @Test
    void aTruncatedDataFileIsNamed() throws Exception {
        Table table = tables.create("t", columns().build());
        TestTables.write(table, row(1, "a"));
        Path file = dataFile("t");
        Files.write(file, new byte[] {1, 2, 3});

        assertThatThrownBy(() -> read(tables.open("t"), ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data file")
                        .contains(file.getFileName() + " of snapshot 1, bucket 0 has 3 bytes"));
    }

    @Test
    void aParquetFileCutShortIsNamedWithItsPartitionAndWhatToDo() throws Exception {
        Table table = tables.create(
                "t",
                columns().partitionKeys("name").option("file.format", "parquet").build());
        TestTables.write(table, row(1, "north"));
        TestTables.write(table, row(2, "north"));
        Path file = dataFile("t");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> read(tables.open("t"), ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data file ")
                        .contains(file.getFileName() + " of snapshot 2, partition name=north, bucket 0 has "
                                + whole.length / 2 + " bytes where the table's metadata says " + whole.length + ".")
                        .contains("Restore the file from a copy, or roll the table back"));
    }

    @Test
    void aParquetFileWithDamagedContentIsNamedWithTheSplit() throws Exception {
        Table table =
                tables.create("t", columns().option("file.format", "parquet").build());
        TestTables.write(table, row(1, "a"));
        Path file = dataFile("t");
        Files.write(file, new byte[Files.readAllBytes(file).length]);

        assertThatThrownBy(() -> read(tables.open("t"), ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data files [")
                        .contains(file.getFileName() + "] of snapshot 1, bucket 0 have the sizes they should")
                        .contains("restore the file from a copy or roll the table back"));
    }

    @Test
    void aMissingFileOfTheChangesBetweenTwoSnapshotsIsNamed() throws Exception {
        Table table = tables.create(
                "t", columns().primaryKey("id").option("bucket", "1").build());
        TestTables.write(table, row(1, "a"));
        Path before = dataFile("t");
        TestTables.write(table, row(2, "b"));
        Path folder = before.getParent();
        Path kept = Files.move(before, folder.resolve("kept"));
        Path added = dataFile("t");
        Files.delete(added);
        Files.move(kept, before);
        StoreTable changes =
                tables.open("t", Map.of("incremental-between", "1,2", "incremental-between-scan-mode", "diff"));

        assertThatThrownBy(() -> read(changes, ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data file ")
                        .contains(added.getFileName() + " of the changes up to snapshot 2, bucket 0 is missing.")
                        .contains("Most likely the snapshot expired"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"scan.fallback-branch", "scan.primary-branch"})
    void aMissingFileOfAnotherBranchIsNamedWithTheBranch(String option) throws Exception {
        FileStoreTable table = (FileStoreTable)
                tables.create("t", columns().partitionKeys("name").build());
        table.createBranch("old");
        TestTables.write(table.switchToBranch("old"), row(1, "a"));
        Path file = dataFile("t");
        Files.delete(file);
        tables.alter("t", SchemaChange.setOption(option, "old"));

        assertThatThrownBy(() -> read(tables.open("t"), ReadSpec.everything()))
                .satisfies(failure -> assertThat(ExceptionUtils.stringifyException(failure))
                        .contains("Table test.db.t cannot be read: data file ")
                        .contains(file.getFileName()
                                + " of branch 'old', snapshot 1, partition name=a, bucket 0 is missing."));
    }

    private Path dataFile(String table) throws IOException {
        try (Stream<Path> files = Files.walk(tables.path(table))) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aFormatTableCannotBeFollowed() throws Exception {
        StoreTable table = tables.formatTable("t", RowType.of(DataTypes.BIGINT()));

        assertThatThrownBy(
                        () -> PaimonSource.of(table, ReadSpec.everything(), SETTINGS, Boundedness.CONTINUOUS_UNBOUNDED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Table test.db.t is of kind FORMAT and has no snapshots to follow; read it with"
                        + " Boundedness.BOUNDED.");
    }
}
