/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.TestTables;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.ReadException;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.SplitOpener;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The engine may give a merge of any length as one batch. What the task gets at a time stays small, so that a checkpoint
 * never waits for the merge.
 */
final class LongMergeTest {

    private static final int KEYS = 100_000;

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

    private Table overlapping(String... options) throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.INT().notNull())
                .column("x", DataTypes.INT())
                .primaryKey("id")
                .option("bucket", "1");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        Table table = tables.create("t", schema.build());
        for (int version = 0; version < 2; version++) {
            List<InternalRow> rows = new ArrayList<>(KEYS);
            for (int id = 0; id < KEYS; id++) {
                rows.add(GenericRow.of(id, version));
            }
            TestTables.write(table, false, rows);
        }
        return table;
    }

    private PaimonSplitReader reader(StoreTable table, ReadSpec spec, PaimonSplit split) {
        SplitOpener opener = new SplitOpener(table, spec, new String[] {folder.toString()});
        RowType type = LogicalTypeConversion.toLogicalType(spec.readType(table));
        PaimonSplitReader reader = new PaimonSplitReader(opener, spec, type, Long.MAX_VALUE, new CommitLag(() -> 0));
        reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
        return reader;
    }

    @Test
    void aMergeIsHandedOverInSmallPages() throws Exception {
        overlapping();
        StoreTable table = tables.open("t");
        List<Split> splits = BoundedPlan.splits(table, ReadSpec.everything());
        assertThat(splits).hasSize(1);
        PaimonSplitReader reader = reader(table, ReadSpec.everything(), new PaimonSplit("s", splits.get(0), 40_000));

        int next = 40_000;
        boolean finished = false;
        while (!finished) {
            RecordsWithSplitIds<RowPage> page = reader.fetch();
            assertThat(page.nextSplit()).isEqualTo("s");
            int rows = 0;
            for (RowPage turn = page.nextRecordFromSplit(); turn != null; turn = page.nextRecordFromSplit()) {
                int inTurn = 0;
                for (RowData row = turn.nextOfTurn(); row != null; row = turn.nextOfTurn()) {
                    assertThat(row.getInt(0)).isEqualTo(next++);
                    assertThat(row.getInt(1)).isEqualTo(1);
                    inTurn++;
                }
                assertThat(inTurn).isLessThanOrEqualTo(RowPage.ROWS_PER_TURN);
                rows += inTurn;
            }
            assertThat(rows).isLessThanOrEqualTo(RowPage.MAX_ROWS);
            finished = !page.finishedSplits().isEmpty();
            page.recycle();
        }
        assertThat(next).isEqualTo(KEYS);
        reader.close();
    }

    @Test
    void aSearchForFewRowsComesUpForAirToo() throws Exception {
        overlapping();
        StoreTable table = tables.open("t");
        ReadSpec nobody = ReadSpec.everything().withFilters(List.of(new PredicateBuilder(table.rowType()).equal(1, 7)));
        Split split = BoundedPlan.splits(table, ReadSpec.everything()).get(0);
        PaimonSplitReader reader = reader(table, nobody, new PaimonSplit("s", split, 0));

        List<Boolean> finished = new ArrayList<>();
        while (!finished.contains(true)) {
            RecordsWithSplitIds<RowPage> page = reader.fetch();
            page.nextSplit();
            assertThat(page.nextRecordFromSplit()).isNull();
            finished.add(!page.finishedSplits().isEmpty());
            page.recycle();
        }
        assertThat(finished).containsExactly(false, true);
        reader.close();
    }

    @Test
    void aMissingDeletionVectorIsNamed() throws Exception {
        Table table = tables.create(
                "t",
                Schema.newBuilder()
                        .column("id", DataTypes.INT().notNull())
                        .primaryKey("id")
                        .option("bucket", "1")
                        .option("deletion-vectors.enabled", "true")
                        .build());
        TestTables.write(table, true, List.of(GenericRow.of(1), GenericRow.of(2), GenericRow.of(3)));
        TestTables.write(table, GenericRow.ofKind(RowKind.DELETE, 3));
        StoreTable opened = tables.open("t");
        List<Split> splits = BoundedPlan.splits(opened, ReadSpec.everything());
        try (Stream<Path> files = Files.list(tables.path("t").resolve("index"))) {
            files.forEach(LongMergeTest::delete);
        }

        assertThatThrownBy(() -> reader(opened, ReadSpec.everything(), new PaimonSplit("s", splits.get(0), 0))
                        .fetch())
                .isInstanceOf(ReadException.class)
                .hasMessageContaining("Table test.db.t cannot be read: deletion vector file ")
                .hasMessageContaining("is missing. Most likely the snapshot expired while it was read");
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
