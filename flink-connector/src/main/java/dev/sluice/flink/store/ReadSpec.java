/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * What of a table is read: which columns, and which rows are worth the effort. Immutable and serializable; fixed by
 * whoever sets a read up and passed whole to planning and to every reader.
 *
 * @param projection indexes of the table's columns in the order they come out, empty when only the number of rows
 *     matters, null for all columns
 * @param filters conditions that are joined by AND and that leave out files and rows as far as the engine can tell;
 *     rows that fail them may still come out, so whoever needs exactness evaluates them again
 * @param partitions the partitions that are read, exactly, or null for all
 * @param limit how many rows are enough, or null for all; a bounded read may give more, never fewer than the table has
 */
public record ReadSpec(
        @Nullable List<Integer> projection,
        List<Predicate> filters,
        @Nullable PartitionPredicate partitions,
        @Nullable Long limit)
        implements Serializable {

    private static final ReadSpec EVERYTHING = new ReadSpec(null, List.of(), null, null);

    public ReadSpec {
        projection = projection == null ? null : List.copyOf(projection);
        filters = List.copyOf(filters);
        if (limit != null && limit < 0) {
            throw new IllegalArgumentException("A read's limit is " + limit + "; accepted is a whole number from 0.");
        }
    }

    /** All columns of all rows. */
    public static ReadSpec everything() {
        return EVERYTHING;
    }

    public ReadSpec withProjection(List<Integer> columns) {
        return new ReadSpec(columns, filters, partitions, limit);
    }

    /** @param more joined by AND to the filters that are there */
    public ReadSpec withFilters(List<Predicate> more) {
        List<Predicate> joined = new ArrayList<>(filters);
        joined.addAll(more);
        return new ReadSpec(projection, joined, partitions, limit);
    }

    public ReadSpec withPartitions(@Nullable PartitionPredicate only) {
        return new ReadSpec(projection, filters, only, limit);
    }

    public ReadSpec withLimit(long rows) {
        return new ReadSpec(projection, filters, partitions, rows);
    }

    /**
     * The rows that come out.
     *
     * @throws IllegalArgumentException if the projection names a column that the table does not have
     */
    public RowType readType(StoreTable table) {
        RowType all = table.rowType();
        if (projection == null) {
            return all;
        }
        for (int column : projection) {
            if (column < 0 || column >= all.getFieldCount()) {
                throw new IllegalArgumentException("Table " + table.name() + " has no column at index " + column
                        + "; its " + all.getFieldCount() + " columns are " + all.getFieldNames() + ".");
            }
        }
        return all.project(projection.stream().mapToInt(Integer::intValue).toArray());
    }
}
