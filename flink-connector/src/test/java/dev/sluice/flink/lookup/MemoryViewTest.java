/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.TableChange;
import dev.sluice.flink.store.TableChanges;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MemoryViewTest {

    private static final int BUCKETS = 3;
    private static final int IDS = 12;
    private static final int GROUPS = 4;

    /** A result row is (id, group, value); the join key is the group. */
    private static final RowType TYPE = RowType.of(new IntType(), new IntType(), new IntType());

    private final ScriptedChanges changes = new ScriptedChanges();
    private final MemoryView view = newView(changes);
    private final RefreshWatch watch = new RefreshWatch(System::nanoTime, null);

    /** One step of a table's life; group null stands for a NULL join key. */
    record Upsert(int id, @Nullable Integer group, int value) {}

    record Step(boolean whole, List<Upsert> upserts, List<Integer> deletes) {}

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Upsert> upserts = Combinators.combine(
                        Arbitraries.integers().between(0, IDS - 1),
                        Arbitraries.integers().between(0, GROUPS - 1).injectNull(0.2),
                        Arbitraries.integers().between(0, 2))
                .as(Upsert::new);
        Arbitrary<Step> steps = Combinators.combine(
                        Arbitraries.of(true, false, false, false),
                        upserts.list().ofMaxSize(6),
                        Arbitraries.integers().between(0, IDS - 1).list().ofMaxSize(3))
                .as(Step::new);
        return steps.list().ofMinSize(1).ofMaxSize(12);
    }

    @Property(tries = 300)
    void showsWhatAMapOfTheUpsertedRowsShows(@ForAll("histories") List<Step> history) throws IOException {
        ScriptedChanges script = new ScriptedChanges();
        MemoryView probed = newView(script);
        Map<Integer, Upsert> model = new TreeMap<>();
        boolean first = true;
        for (Step step : history) {
            Set<Slice> touched = new java.util.HashSet<>();
            step.upserts().forEach(upsert -> {
                model.put(upsert.id(), upsert);
                touched.add(slice(upsert.id()));
            });
            step.deletes().forEach(id -> {
                model.remove(id);
                touched.add(slice(id));
            });
            script.add(
                    first || step.whole(),
                    touched,
                    model.values().stream()
                            .filter(row -> touched.contains(slice(row.id())))
                            .toList(),
                    List.copyOf(model.values()));
            probed.refresh(watch);
            first = false;
            for (int group = 0; group < GROUPS; group++) {
                int wanted = group;
                assertThat(rows(probed, group))
                        .containsExactlyInAnyOrderElementsOf(model.values().stream()
                                .filter(row -> row.group() != null && row.group() == wanted)
                                .toList());
            }
        }
    }

    @Test
    void keepsDuplicatesOfAnAppendTableAndAddsToThem() throws IOException {
        Upsert row = new Upsert(1, 7, 5);
        changes.whole(row, row);
        view.refresh(watch);
        assertThat(rows(view, 7)).containsExactly(row, row);

        changes.gained(row);
        view.refresh(watch);
        assertThat(rows(view, 7)).containsExactly(row, row, row);
    }

    @Test
    void removesOneOfSeveralEqualRows() throws IOException {
        Upsert row = new Upsert(1, 7, 5);
        changes.whole(row, row, row);
        changes.rewritten(Set.of(slice(1)), row);
        view.refresh(watch);
        assertThat(rows(view, 7)).containsExactly(row);
    }

    @Test
    void aFailedReadLeavesTheOldSnapshotAndIsRepeated() throws IOException {
        changes.whole(new Upsert(1, 7, 5));
        view.refresh(watch);
        changes.failing("disk is gone", new Upsert(1, 7, 6));
        assertThatThrownBy(() -> view.refresh(watch)).hasMessage("disk is gone");
        assertThat(rows(view, 7)).containsExactly(new Upsert(1, 7, 5));

        view.refresh(watch);
        assertThat(rows(view, 7)).containsExactly(new Upsert(1, 7, 6));
    }

    @Test
    void answersAreNeitherReusedNorChangedByARefresh() throws IOException {
        changes.whole(new Upsert(1, 7, 5), new Upsert(2, 8, 6));
        view.refresh(watch);
        var kept = view.get(key(7));
        view.get(key(8));
        changes.whole();
        view.refresh(watch);
        assertThat(kept).hasSize(1);
        assertThat(kept.iterator().next().getInt(2)).isEqualTo(5);
        assertThat(view.get(key(7))).isEmpty();
    }

    private static MemoryView newView(TableChanges changes) {
        return new MemoryView(
                changes, false, "c.d.t", TYPE, List.of(1), MemoryView.UNBOUNDED, () -> Spill.NONE, true, 2);
    }

    private static Slice slice(int id) {
        return new Slice(BinaryRow.EMPTY_ROW, id % BUCKETS);
    }

    private static org.apache.flink.table.data.binary.BinaryRowData key(int group) {
        var encoded = new KeyEncoder(List.of(new IntType()), List.of(0)).encode(GenericRowData.of(group));
        assertThat(encoded).isNotNull();
        return encoded;
    }

    private static List<Upsert> rows(MemoryView view, int group) {
        return view.get(key(group)).stream()
                .map(row -> new Upsert(row.getInt(0), row.getInt(1), row.getInt(2)))
                .toList();
    }

    /** Hands out the changes it was told, in order, each again until it is followed. */
    private static final class ScriptedChanges implements TableChanges {

        private final Deque<TableChange> script = new ArrayDeque<>();
        private boolean failNext;

        void whole(Upsert... rows) {
            add(true, Set.of(), List.of(), List.of(rows));
        }

        void rewritten(Set<Slice> slices, Upsert... rows) {
            add(false, slices, List.of(rows), List.of());
        }

        void gained(Upsert... rows) {
            add(false, Set.of(), List.of(rows), List.of());
        }

        void failing(String message, Upsert... rows) {
            failNext = true;
            List<Upsert> all = List.of(rows);
            script.add(new TableChange(1, 0, true, false, Set.of(), sink -> {
                if (failNext) {
                    failNext = false;
                    emit(sink, all);
                    throw new IOException(message);
                }
                emit(sink, all);
            }));
        }

        void add(boolean whole, Set<Slice> rewritten, List<Upsert> ofSlices, List<Upsert> all) {
            List<Upsert> rows = new ArrayList<>(whole ? all : ofSlices);
            script.add(new TableChange(
                    1, 0, whole, false, whole ? Set.of() : Set.copyOf(rewritten), sink -> emit(sink, rows)));
        }

        private static void emit(TableChange.RowSink sink, List<Upsert> rows) {
            GenericRow reused = new GenericRow(3);
            for (Upsert row : rows) {
                reused.setField(0, row.id());
                reused.setField(1, row.group());
                reused.setField(2, row.value());
                sink.accept(slice(row.id()), reused);
            }
        }

        @Override
        public @Nullable TableChange next() {
            return script.peek();
        }

        @Override
        public void begun(TableChange change) {
            assertThat(script.peek()).isSameAs(change);
        }

        @Override
        public void followed(TableChange change) {
            assertThat(script.poll()).isSameAs(change);
        }
    }
}
