/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.KeyedFiles;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.TableFollower;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.util.FileUtils;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.jspecify.annotations.Nullable;

/**
 * Drives a real table of each kind through a random life, and after each commit asks the views for every join key; the
 * answers must be those of a map in memory that went through the same life.
 */
final class ViewsAgainstAModelTest {

    private static final int IDS = 10;
    private static final int GROUPS = 3;
    private static final int VALUES = 4;

    private static final int[] ALL = {0, 1, 2};

    record Row(int id, int group, int value) {}

    /** Later writes of one commit win over earlier ones. */
    record Commit(List<Row> upserts, List<Integer> deletes, boolean compacts, boolean overwrites) {}

    @Provide
    Arbitrary<List<Commit>> lives() {
        Arbitrary<Row> rows = Combinators.combine(
                        Arbitraries.integers().between(0, IDS - 1),
                        Arbitraries.integers().between(0, GROUPS - 1),
                        Arbitraries.integers().between(0, VALUES - 1))
                .as(Row::new);
        Arbitrary<Commit> commits = Combinators.combine(
                        rows.list().ofMinSize(1).ofMaxSize(5),
                        Arbitraries.integers().between(0, IDS - 1).list().ofMaxSize(2),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false, false, false, false))
                .as(Commit::new);
        return commits.list().ofMinSize(2).ofMaxSize(6);
    }

    @Property(tries = 12, shrinking = ShrinkingMode.OFF)
    void aPlainTable(@ForAll("lives") List<Commit> life) throws Exception {
        check(life, Map.of("bucket", "2"), false);
    }

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    void aTableWithDeletionVectors(@ForAll("lives") List<Commit> life) throws Exception {
        // Rows are readable once compacted, so every commit compacts.
        check(life, Map.of("bucket", "2", "deletion-vectors.enabled", "true"), true);
    }

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    void aTableThatAggregates(@ForAll("lives") List<Commit> life) throws Exception {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("bucket", "2");
        options.put("merge-engine", "aggregation");
        options.put("aggregation.remove-record-on-delete", "true");
        options.put("fields.g.aggregate-function", "last_value");
        options.put("fields.v.aggregate-function", "sum");
        check(life, options, false);
    }

    private static void check(List<Commit> life, Map<String, String> options, boolean alwaysCompacts) throws Exception {
        Path warehouse = Files.createTempDirectory("views");
        Columns columns = new Columns()
                .column("id", DataTypes.INT())
                .column("g", DataTypes.INT())
                .column("v", DataTypes.INT());
        options.forEach(columns::option);
        boolean sums = options.containsValue("aggregation");
        Schema schema = columns.keyed("id");
        try (EngineTable table = new EngineTable(warehouse, schema);
                Views views = new Views(table.asSeenNow(), warehouse)) {
            Map<Integer, Row> model = new TreeMap<>();
            for (Commit commit : life) {
                apply(commit, model, sums);
                List<InternalRow> rows = rows(commit);
                if (commit.overwrites()) {
                    table.overwrite(rows.toArray(InternalRow[]::new));
                    if (alwaysCompacts) {
                        table.writeAndCompact();
                    }
                } else if (alwaysCompacts || commit.compacts()) {
                    table.writeAndCompact(rows.toArray(InternalRow[]::new));
                } else {
                    table.write(rows.toArray(InternalRow[]::new));
                }
                views.check(model);
            }
        } finally {
            FileUtils.deleteDirectory(warehouse.toFile());
        }
    }

    private static void apply(Commit commit, Map<Integer, Row> model, boolean sums) {
        if (commit.overwrites()) {
            model.clear();
        }
        for (Row row : commit.upserts()) {
            model.merge(
                    row.id(),
                    row,
                    (old, now) -> new Row(now.id(), now.group(), sums ? old.value() + now.value() : now.value()));
        }
        commit.deletes().forEach(model::remove);
    }

    private static List<InternalRow> rows(Commit commit) {
        List<InternalRow> rows = new ArrayList<>();
        commit.upserts().forEach(row -> rows.add(row(row.id(), row.group(), row.value())));
        commit.deletes().forEach(id -> rows.add(row(RowKind.DELETE, id, 0, 0)));
        return rows;
    }

    /** The views a job may choose from, refreshed by hand. */
    private static final class Views implements AutoCloseable {

        private final MemoryView byGroup;
        private final MemoryView byId;
        private final MemoryView filtered;
        private final List<FileView> inFiles = new ArrayList<>();
        private final KeyEncoder encoder = new KeyEncoder(List.of(new IntType()), List.of(0));
        private final RefreshWatch watch = new RefreshWatch(System::nanoTime, null);

        Views(StoreTable table, Path folder) throws Exception {
            byGroup = inMemory(table, List.of(), 1);
            byId = inMemory(table, List.of(), 0);
            Predicate small = new PredicateBuilder(table.rowType()).lessThan(2, 2);
            filtered = inMemory(table, List.of(small), 1);
            if (KeyedFiles.isExact(table, List.of(0), ALL)) {
                inFiles.add(inFiles(table, folder.resolve("plain"), null));
                inFiles.add(inFiles(table, folder.resolve("cached"), new RowCache(IDS, null, System::nanoTime)));
            }
        }

        private static FileView inFiles(StoreTable table, Path folder, @Nullable RowCache cache) throws Exception {
            return new FileView(
                    KeyedFiles.open(table, ALL, List.of(), List.of(0)),
                    LookupKeys.of(spec(table, List.of(), 0)),
                    table.name(),
                    new LocalFiles(folder, Long.MAX_VALUE, Duration.ofHours(1), System::nanoTime),
                    cache,
                    true,
                    System::nanoTime);
        }

        private static LookupSpec spec(StoreTable table, List<Predicate> filters, int key) {
            return new LookupSpec(
                    table,
                    List.of(0, 1, 2),
                    List.of(key),
                    filters,
                    new LookupSettings(false, 1, Duration.ofSeconds(1)));
        }

        private static MemoryView inMemory(StoreTable table, List<Predicate> filters, int key) {
            TableFollower follower = TableFollower.open(table, ALL, filters);
            return new MemoryView(
                    follower,
                    false,
                    table.name(),
                    spec(table, filters, key).resultType(),
                    List.of(key),
                    MemoryView.UNBOUNDED,
                    () -> Spill.NONE,
                    true,
                    2);
        }

        void check(Map<Integer, Row> model) throws Exception {
            for (LookupView view : List.of(byGroup, byId, filtered)) {
                view.refresh(watch);
            }
            for (FileView view : inFiles) {
                view.refresh(watch);
            }
            for (int group = 0; group < GROUPS; group++) {
                int wanted = group;
                List<Row> expected = model.values().stream()
                        .filter(row -> row.group() == wanted)
                        .toList();
                assertThat(rows(byGroup, group)).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(rows(filtered, group))
                        .containsExactlyInAnyOrderElementsOf(
                                expected.stream().filter(row -> row.value() < 2).toList());
            }
            for (int id = 0; id < IDS; id++) {
                List<Row> expected = expected(model.get(id));
                assertThat(rows(byId, id)).isEqualTo(expected);
                for (FileView view : inFiles) {
                    assertThat(rows(view, id)).isEqualTo(expected);
                }
            }
        }

        private static List<Row> expected(@Nullable Row row) {
            return row == null ? List.of() : List.of(row);
        }

        private List<Row> rows(LookupView view, int key) throws Exception {
            BinaryRowData encoded = Objects.requireNonNull(encoder.encode(GenericRowData.of(key)));
            List<Row> rows = new ArrayList<>();
            Collection<RowData> cached = view.getIfCached(encoded);
            for (RowData row : cached == null ? view.get(encoded) : cached) {
                rows.add(new Row(row.getInt(0), row.getInt(1), row.getInt(2)));
            }
            return rows;
        }

        @Override
        public void close() throws Exception {
            inFiles.forEach(FileView::close);
        }
    }
}
