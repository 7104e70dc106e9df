/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalMergeTest {

    private static final String SIZE = "local-merge-buffer-size";

    @TempDir
    Path folder;

    /** A table (id, n, s), or (id, n) whose rows all have one width. */
    private StoreTable table(boolean text, Map<String, String> options) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("bucket", "1", SIZE, "4 mb"));
        all.putAll(options);
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("n", DataTypes.INT())
                .primaryKey("id")
                .options(all);
        if (text) {
            schema.column("s", DataTypes.STRING());
        }
        try (FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()))) {
            catalog.createDatabase("db", true);
            catalog.createTable(Identifier.create("db", "t"), schema.build(), false);
            return StoreTable.of("p.db.t", catalog.getTable(Identifier.create("db", "t")));
        }
    }

    private static GenericRow row(RowKind kind, int id, int n) {
        return GenericRow.ofKind(kind, id, n);
    }

    private static GenericRow row(RowKind kind, int id, int n, String s) {
        return GenericRow.ofKind(kind, id, n, s == null ? null : BinaryString.fromString(s));
    }

    private static List<String> drain(LocalMerge merge) throws Exception {
        List<String> rows = new ArrayList<>();
        merge.drainTo(row -> rows.add(text(row)));
        assertThat(merge.isEmpty()).isTrue();
        rows.sort(null);
        return rows;
    }

    private static String text(InternalRow row) {
        String s = row.getFieldCount() < 3 ? "" : "|" + (row.isNullAt(2) ? null : row.getString(2));
        return row.getRowKind().shortString() + row.getInt(0) + "|" + row.getInt(1) + s;
    }

    @Test
    void theLastRowOfAKeyStaysAndItsKindToo() throws Exception {
        for (boolean text : List.of(true, false)) {
            try (LocalMerge merge = LocalMerge.open(table(text, Map.of()))) {
                for (GenericRow row : List.of(
                        row(RowKind.INSERT, 1, 1, "a"),
                        row(RowKind.INSERT, 2, 1, "b"),
                        row(RowKind.UPDATE_AFTER, 1, 2, "c"),
                        row(RowKind.DELETE, 2, 1, "b"),
                        row(RowKind.INSERT, 3, 3, "d"))) {
                    GenericRow given = text ? row : row(row.getRowKind(), row.getInt(0), row.getInt(1));
                    RowKind kind = given.getRowKind();
                    assertThat(merge.add(given)).isEqualTo(LocalMerge.Taken.MERGED);
                    assertThat(given.getRowKind())
                            .as("the caller's row keeps its kind")
                            .isEqualTo(kind);
                }
                assertThat(drain(merge))
                        .isEqualTo(
                                text ? List.of("+I3|3|d", "+U1|2|c", "-D2|1|b") : List.of("+I3|3", "+U1|2", "-D2|1"));
                assertThat(drain(merge)).isEmpty();
            }
            org.apache.flink.util.FileUtils.deleteDirectory(
                    folder.resolve("db.db/t").toFile());
        }
    }

    @Test
    void sumsAreMadeAndRowsBeforeAnUpdateTakenFromThem() throws Exception {
        StoreTable table = table(false, Map.of("merge-engine", "aggregation", "fields.n.aggregate-function", "sum"));
        try (LocalMerge merge = LocalMerge.open(table)) {
            merge.add(row(RowKind.INSERT, 1, 10));
            merge.add(row(RowKind.INSERT, 1, 5));
            merge.add(row(RowKind.UPDATE_BEFORE, 1, 5));
            merge.add(row(RowKind.UPDATE_AFTER, 1, 7));
            assertThat(drain(merge)).containsExactly("+I1|17");
        }
    }

    @Test
    void aDeletionThatWouldForgetWhatTheTableHasIsPassedOn() throws Exception {
        StoreTable table =
                table(true, Map.of("merge-engine", "partial-update", "partial-update.remove-record-on-delete", "true"));
        try (LocalMerge merge = LocalMerge.open(table)) {
            assertThat(merge.add(row(RowKind.INSERT, 1, 1, "a"))).isEqualTo(LocalMerge.Taken.MERGED);
            assertThat(merge.add(row(RowKind.DELETE, 1, 1, "a"))).isEqualTo(LocalMerge.Taken.PASSED);
            assertThat(merge.add(row(RowKind.INSERT, 1, 2, null))).isEqualTo(LocalMerge.Taken.MERGED);
            assertThat(drain(merge)).containsExactly("+I1|2|a");
        }
    }

    @Test
    void kindsComeFromTheirColumnAndWhatTheTableIgnoresIsLeftOut() throws Exception {
        StoreTable table = table(true, Map.of("rowkind.field", "s", "ignore-delete", "true"));
        try (LocalMerge merge = LocalMerge.open(table)) {
            assertThat(merge.add(row(RowKind.INSERT, 1, 1, "+I"))).isEqualTo(LocalMerge.Taken.MERGED);
            assertThat(merge.add(row(RowKind.INSERT, 1, 2, "-D"))).isEqualTo(LocalMerge.Taken.IGNORED);
            assertThat(merge.add(row(RowKind.INSERT, 1, 3, "nonsense"))).isEqualTo(LocalMerge.Taken.PASSED);
            assertThat(merge.add(row(RowKind.INSERT, 1, 4, null))).isEqualTo(LocalMerge.Taken.PASSED);
            assertThat(drain(merge)).containsExactly("+I1|1|+I");
        }
    }

    @Test
    void aFullBufferSaysSoAndTakesRowsAgainOnceItIsDrained() throws Exception {
        try (LocalMerge merge = LocalMerge.open(table(true, Map.of(SIZE, "192 kb")))) {
            int rows = 0;
            while (merge.add(row(RowKind.INSERT, rows, rows, "x".repeat(1000))) == LocalMerge.Taken.MERGED) {
                rows++;
            }
            assertThat(rows).isBetween(50, 192);
            assertThat(drain(merge)).hasSize(rows);
            assertThat(merge.add(row(RowKind.INSERT, 1, 1, "y"))).isEqualTo(LocalMerge.Taken.MERGED);
        }
    }

    @Test
    void rowsThatAreAChangelogAsTheyComeAreNotMergedAndASmallBufferIsRefused() throws Exception {
        assertThat(LocalMerge.wanted(table(true, Map.of("changelog-producer", "input"))))
                .isFalse();
        org.apache.flink.util.FileUtils.deleteDirectory(
                folder.resolve("db.db/t").toFile());
        StoreTable small = table(true, Map.of(SIZE, "100 kb"));
        assertThatThrownBy(() -> LocalMerge.wanted(small))
                .isInstanceOf(ValidationException.class)
                .hasMessage("'local-merge-buffer-size' is 102400 bytes for table p.db.t; accepted is a size from"
                        + " 196608 bytes, 3 times 'page-size'.");
    }
}
