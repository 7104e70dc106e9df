/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows (id INT, v STRING NOT NULL, op STRING, seq INT) that a table does not take, and those that it must. */
final class RefusedRowsTest {

    private static final String ADVICE = " Committed snapshots are untouched. The table does not take this row, and the"
            + " job does not get past it: filter or correct such rows in the query, then run the job again.";

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    @BeforeEach
    void openCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(boolean keyed, String... options) throws Exception {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            all.put(options[i], options[i + 1]);
        }
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.STRING().notNull())
                .column("op", DataTypes.STRING())
                .column("seq", DataTypes.INT());
        if (keyed) {
            schema.primaryKey("id");
            all.put("bucket", "1");
        }
        Identifier name = Identifier.create("db", "t");
        catalog.createTable(name, schema.options(all).build(), false);
        return StoreTable.of("p.db.t", catalog.getTable(name));
    }

    private static GenericRow row(RowKind kind, Integer id, String v, String op, Integer seq) {
        return GenericRow.ofKind(kind, id, text(v), text(op), seq);
    }

    private static BinaryString text(String value) {
        return value == null ? null : BinaryString.fromString(value);
    }

    private TableWriter writer(StoreTable table) {
        return TableWriter.open(
                table, "user", new String[] {folder.resolve("tmp").toString()}, false);
    }

    /** Rows as "id|v", after the given ones were written and committed. */
    private List<String> written(StoreTable table, GenericRow... rows) throws Exception {
        try (TableWriter writer = writer(table);
                TableCommitImpl commit = ((FileStoreTable) table.table()).newCommit("user")) {
            for (GenericRow row : rows) {
                writer.write(row, 0);
            }
            List<CommitMessage> files = writer.prepareCommit(true, 1);
            commit.commit(1, files);
        }
        ReadBuilder read = catalog.getTable(Identifier.create("db", "t")).newReadBuilder();
        List<String> result = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining((InternalRow row) -> result.add(row.getInt(0) + "|" + row.getString(1)));
        }
        return result;
    }

    private void assertRefused(StoreTable table, GenericRow row, String problem) throws Exception {
        try (TableWriter writer = writer(table)) {
            assertThatThrownBy(() -> writer.write(row, 0))
                    .isInstanceOf(WriteFailedException.class)
                    .hasMessage("Writing a row failed for table p.db.t: " + problem + "." + ADVICE);
        }
        assertThat(((FileStoreTable) table.table()).snapshotManager().latestSnapshotId())
                .isNull();
    }

    @Test
    void aNullWhereNoneMayBe() throws Exception {
        StoreTable table = table(true);
        String drop = " is NOT NULL and the row has NULL there; 'table.exec.sink.not-null-enforcer' = 'DROP' makes"
                + " Flink leave such rows of a query out";
        assertRefused(table, row(RowKind.INSERT, null, "x", null, null), "column 'id'" + drop);
        assertRefused(table, row(RowKind.INSERT, 1, null, null, null), "column 'v'" + drop);
    }

    @Test
    void retractsOfATableWithoutAKey() throws Exception {
        String skip =
                "; a table without a primary key takes inserts only. 'ignore-delete' = 'true' makes the table skip"
                        + " -U and -D";
        StoreTable table = table(false);
        assertRefused(table, row(RowKind.DELETE, 1, "x", null, null), "the row's kind is -D" + skip);
        assertRefused(table, row(RowKind.UPDATE_BEFORE, 1, "x", null, null), "the row's kind is -U" + skip);
    }

    @Test
    void retractsOfAFirstRowTableAtOnceAndNotWhenItMerges() throws Exception {
        StoreTable table = table(true, "merge-engine", "first-row");
        assertRefused(
                table,
                row(RowKind.DELETE, 17, "x", null, null),
                "the row's kind is -D (key id = '17'); a table with 'merge-engine' = 'first-row' takes inserts only."
                        + " 'ignore-delete' = 'true' makes the table skip -U and -D");
        assertThat(written(
                        table, row(RowKind.INSERT, 1, "a", null, null), row(RowKind.UPDATE_AFTER, 1, "b", null, null)))
                .containsExactly("1|a");
    }

    @Test
    void retractsThatTheTableIsToldToSkip() throws Exception {
        StoreTable table = table(true, "merge-engine", "first-row", "ignore-delete", "true");
        assertThat(written(table, row(RowKind.INSERT, 1, "a", null, null), row(RowKind.DELETE, 1, "a", null, null)))
                .containsExactly("1|a");
    }

    @Test
    void aRowKindColumnThatHoldsNone() throws Exception {
        StoreTable table = table(true, "rowkind.field", "op");
        String problem = "column 'op' says what kind of row it is ('rowkind.field') and is ";
        String accepted = "; accepted is +I, -U, +U or -D";
        assertRefused(table, row(RowKind.INSERT, 1, "x", null, null), problem + "NULL" + accepted);
        assertRefused(
                table,
                row(RowKind.INSERT, 1, "x", "delete".repeat(20), null),
                problem + "'deletedeletedeletedeletedeletedeletedele…'" + accepted);
    }

    @Test
    void theRowKindColumnDecidesAndItsDeletesAreSkippedIfTheTableSaysSo() throws Exception {
        assertThat(written(
                        table(true, "rowkind.field", "op"),
                        row(RowKind.INSERT, 1, "a", "+I", null),
                        row(RowKind.INSERT, 2, "b", "+I", null),
                        row(RowKind.INSERT, 1, "a", "-D", null)))
                .containsExactly("2|b");
        catalog.dropTable(Identifier.create("db", "t"), false);
        assertThat(written(
                        table(true, "rowkind.field", "op", "ignore-delete", "true"),
                        row(RowKind.INSERT, 1, "a", "+I", null),
                        row(RowKind.INSERT, 1, "a", "-D", null)))
                .containsExactly("1|a");
    }

    @Test
    void ofTwoRowsWithOneSequenceNumberTheLaterWins() throws Exception {
        assertThat(written(
                        table(true, "sequence.field", "seq"),
                        row(RowKind.INSERT, 1, "first", null, 5),
                        row(RowKind.INSERT, 1, "second", null, 5),
                        row(RowKind.INSERT, 1, "older", null, 4)))
                .containsExactly("1|second");
    }
}
