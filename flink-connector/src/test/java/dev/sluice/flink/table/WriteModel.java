/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.RowKind;
import org.jspecify.annotations.Nullable;

/** What a few changes make of a table, in plain Java. */
final class WriteModel {

    static final int STEPS = 3;

    private WriteModel() {}

    /** A row (id, pt, g, n, s) and its kind. */
    record Change(
            RowKind kind,
            int id,
            String pt,
            int g,
            @Nullable Integer n,
            @Nullable String s) {

        InternalRow row() {
            return GenericRow.ofKind(
                    kind, id, BinaryString.fromString(pt), g, n, s == null ? null : BinaryString.fromString(s));
        }

        String sql() {
            return "(" + id + ", '" + pt + "', " + g + ", " + (n == null ? "CAST(NULL AS INT)" : n) + ", "
                    + (s == null ? "CAST(NULL AS STRING)" : "'" + s + "'") + ")";
        }

        String text() {
            return id + "|" + pt + "|" + g + "|" + n + "|" + s;
        }
    }

    /** Merge engines, as this test sets them up. */
    enum Merge {
        DEDUPLICATE(""),
        PARTIAL_UPDATE(",'merge-engine'='partial-update','fields.g.sequence-group'='n'"),
        AGGREGATION(",'merge-engine'='aggregation','fields.g.aggregate-function'='max',"
                + "'fields.n.aggregate-function'='sum','fields.s.aggregate-function'='last_non_null_value'"),
        FIRST_ROW(",'merge-engine'='first-row'");

        private final String options;

        Merge(String options) {
            this.options = options;
        }

        String options() {
            return options;
        }

        boolean takesDeletes() {
            return this == DEDUPLICATE;
        }

        @Nullable
        Change apply(@Nullable Change old, Change now) {
            if (this == DEDUPLICATE) {
                return now.kind() == RowKind.DELETE ? null : now.kind() == RowKind.UPDATE_BEFORE ? old : now;
            }
            if (old == null) {
                return now;
            }
            String text = now.s() == null ? old.s() : now.s();
            return switch (this) {
                case PARTIAL_UPDATE -> {
                    boolean newer = now.g() >= old.g();
                    yield new Change(
                            RowKind.INSERT,
                            old.id(),
                            old.pt(),
                            newer ? now.g() : old.g(),
                            newer ? now.n() : old.n(),
                            text);
                }
                case AGGREGATION ->
                    new Change(
                            RowKind.INSERT,
                            old.id(),
                            old.pt(),
                            Math.max(old.g(), now.g()),
                            sum(old.n(), now.n()),
                            text);
                default -> old;
            };
        }

        private static @Nullable Integer sum(@Nullable Integer a, @Nullable Integer b) {
            return a == null ? b : b == null ? a : Integer.valueOf(a + b);
        }
    }

    /** Source table to its changes; at most one row, or the two of an update, of a key in a step. */
    static final Map<String, List<List<Change>>> SOURCES = Map.of(
            "changed",
            List.of(
                    List.of(
                            add(1, "a", 1, 10, "x"),
                            add(2, "b", 1, 20, "y"),
                            add(3, "a", 1, 30, "z"),
                            add(4, "b", 1, 40, null)),
                    List.of(
                            before(1, "a", 1, 10, "x"),
                            after(1, "a", 2, 11, "xx"),
                            delete(2, "b", 1, 20, "y"),
                            add(5, "a", 1, 50, "v")),
                    List.of(
                            add(2, "b", 3, 22, "again"),
                            before(3, "a", 1, 30, "z"),
                            after(3, "a", 0, 31, null),
                            delete(5, "a", 1, 50, "v"))),
            "moved",
            List.of(
                    List.of(add(1, "a", 1, 10, "x"), add(2, "b", 1, 20, "y"), add(3, "a", 1, 30, "z")),
                    List.of(
                            before(1, "a", 1, 10, "x"),
                            after(1, "b", 2, 11, "xx"),
                            delete(2, "b", 1, 20, "y"),
                            add(4, "c", 1, 40, "w")),
                    List.of(
                            before(1, "b", 2, 11, "xx"),
                            after(1, "c", 3, 12, "xxx"),
                            add(2, "a", 3, 22, "again"),
                            before(3, "a", 1, 30, "z"),
                            after(3, "a", 2, 31, null))),
            "added",
            List.of(
                    List.of(add(1, "a", 1, 10, "x"), add(2, "b", 5, 20, "y"), add(3, "a", 1, null, "z")),
                    List.of(add(1, "a", 2, 5, null), add(2, "b", 3, 7, "yy"), add(4, "b", 1, 40, "w")),
                    List.of(add(1, "a", 3, null, "xx"), add(3, "a", 4, 33, null), add(5, "a", 1, 50, "v"))));

    private static Change add(int id, String pt, int g, @Nullable Integer n, @Nullable String s) {
        return new Change(RowKind.INSERT, id, pt, g, n, s);
    }

    private static Change before(int id, String pt, int g, @Nullable Integer n, @Nullable String s) {
        return new Change(RowKind.UPDATE_BEFORE, id, pt, g, n, s);
    }

    private static Change after(int id, String pt, int g, @Nullable Integer n, @Nullable String s) {
        return new Change(RowKind.UPDATE_AFTER, id, pt, g, n, s);
    }

    private static Change delete(int id, String pt, int g, @Nullable Integer n, @Nullable String s) {
        return new Change(RowKind.DELETE, id, pt, g, n, s);
    }

    /** The rows of a table as text, sorted. */
    static List<String> rows(Merge merge, List<List<Change>> steps) {
        Map<Integer, Change> rows = new TreeMap<>();
        for (List<Change> step : steps) {
            for (Change change : step) {
                Change merged = merge.apply(rows.get(change.id()), change);
                if (merged == null) {
                    rows.remove(change.id());
                } else {
                    rows.put(change.id(), merged);
                }
            }
        }
        List<String> texts = new ArrayList<>();
        rows.values().forEach(row -> texts.add(row.text()));
        texts.sort(null);
        return texts;
    }
}
