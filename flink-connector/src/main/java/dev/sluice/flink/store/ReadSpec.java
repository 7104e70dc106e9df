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
 * What of a table is read: which columns, and which rows. Immutable and serializable; fixed by whoever sets a read up
 * and passed whole to planning and to every reader.
 *
 * @param columns the columns in the order they come out, each as the index of one of the table's columns, followed by
 *     the index of a field where only a field of a ROW is wanted, and so on; empty when only the number of rows matters,
 *     null for all columns
 * @param metadata what comes out behind the columns
 * @param filters conditions over the table's columns that are joined by AND; rows for which they do not hold are left
 *     out. Following a table without a complete changelog they must be about its key alone, or changes would be
 *     missed that make a row fail them
 * @param partitions the partitions that are read, or null for all
 * @param limit how many rows are enough, or null for all; a bounded read may give more, never fewer than there are
 * @param changes whether every change is a row, deletions too, and comes out as an insertion
 */
public record ReadSpec(
        @Nullable List<List<Integer>> columns,
        List<MetadataColumn> metadata,
        List<Predicate> filters,
        @Nullable PartitionPredicate partitions,
        @Nullable Long limit,
        boolean changes)
        implements Serializable {

    private static final ReadSpec EVERYTHING = new ReadSpec(null, List.of(), List.of(), null, null, false);

    public ReadSpec {
        columns = columns == null ? null : columns.stream().map(List::copyOf).toList();
        metadata = List.copyOf(metadata);
        filters = List.copyOf(filters);
        if (limit != null && limit < 0) {
            throw new IllegalArgumentException("A read's limit is " + limit + "; accepted is a whole number from 0.");
        }
    }

    /** All columns of all rows. */
    public static ReadSpec everything() {
        return EVERYTHING;
    }

    /** @param indexes of whole columns */
    public ReadSpec withProjection(List<Integer> indexes) {
        return withColumns(indexes.stream().map(List::of).toList());
    }

    /** @param paths see {@link #columns} */
    public ReadSpec withColumns(List<List<Integer>> paths) {
        return new ReadSpec(paths, metadata, filters, partitions, limit, changes);
    }

    public ReadSpec withMetadata(List<MetadataColumn> behind) {
        return new ReadSpec(columns, behind, filters, partitions, limit, changes);
    }

    /** @param more joined by AND to the filters that are there */
    public ReadSpec withFilters(List<Predicate> more) {
        List<Predicate> joined = new ArrayList<>(filters);
        joined.addAll(more);
        return new ReadSpec(columns, metadata, joined, partitions, limit, changes);
    }

    public ReadSpec withPartitions(@Nullable PartitionPredicate only) {
        return new ReadSpec(columns, metadata, filters, only, limit, changes);
    }

    public ReadSpec withLimit(long rows) {
        return new ReadSpec(columns, metadata, filters, partitions, rows, changes);
    }

    public ReadSpec withChanges() {
        return new ReadSpec(columns, metadata, filters, partitions, limit, true);
    }

    /**
     * The rows that come out.
     *
     * @throws IllegalArgumentException if a path leads to no column or field of the table
     */
    public RowType readType(StoreTable table) {
        return ReadLayout.of(table, this).outputType();
    }
}
