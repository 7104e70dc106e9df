/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/** Which rows of a table and which of their columns are wanted. Immutable. */
final class RowSelection {

    private final int[] columns;
    private final int[] narrowing;
    private final @Nullable Predicate filter;
    private final @Nullable Predicate rowFilter;

    /**
     * @param projection positions in the table's row type of the columns handed out
     * @param filters over positions in the table's row type; all must hold
     * @throws IllegalArgumentException if a filter cannot be tested on a row
     */
    RowSelection(StoreTable table, int[] projection, List<Predicate> filters) {
        this.filter = filters.isEmpty() ? null : PredicateBuilder.and(filters);
        this.columns = withFilterColumns(table.rowType(), projection, filter);
        this.narrowing = IntStream.range(0, projection.length).toArray();
        this.rowFilter = filter == null ? null : onReadRow(table, filter, columns);
    }

    private static int[] withFilterColumns(RowType type, int[] projection, @Nullable Predicate filter) {
        Set<Integer> columns = new LinkedHashSet<>();
        IntStream.of(projection).forEach(columns::add);
        if (filter != null) {
            PredicateVisitor.collectFieldNames(filter).forEach(name -> columns.add(type.getFieldIndex(name)));
        }
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Predicate onReadRow(StoreTable table, Predicate filter, int[] columns) {
        int[] readPositions = new int[table.rowType().getFieldCount()];
        Arrays.fill(readPositions, -1);
        for (int position = 0; position < columns.length; position++) {
            readPositions[columns[position]] = position;
        }
        return PredicateBuilder.transformFieldMapping(filter, readPositions)
                .orElseThrow(() -> new IllegalArgumentException("Filter " + filter + " on table " + table.name()
                        + " cannot be tested on a row; filter after the join instead."));
    }

    /** Positions in the table's row type of all columns to read: those handed out, then those only filtered by. */
    int[] columns() {
        return columns.clone();
    }

    /** Over positions in the table's row type. The engine may use it to skip files, but does not promise to. */
    @Nullable
    Predicate filter() {
        return filter;
    }

    /** @param row with {@link #columns} */
    boolean wants(InternalRow row) {
        return rowFilter == null || rowFilter.test(row);
    }

    /**
     * A view, reusable by one thread, that leaves the columns out that are only filtered by; null if there are none, so
     * that rows are handed out as they are read.
     */
    @Nullable
    ProjectedRow newNarrowing() {
        return narrowing.length == columns.length ? null : ProjectedRow.from(narrowing);
    }
}
