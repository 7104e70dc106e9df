/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.table.DataTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.jspecify.annotations.Nullable;

/** What planning and reading have in common: the engine's builder, set up from a {@link ReadSpec}. */
final class Reads {

    private Reads() {}

    /** Without the limit, which only planning a bounded read may use. */
    static ReadBuilder builder(StoreTable table, ReadSpec spec) {
        ReadBuilder builder = table.table().newReadBuilder();
        if (spec.projection() != null) {
            builder.withReadType(spec.readType(table));
        }
        if (!spec.filters().isEmpty()) {
            builder.withFilter(spec.filters());
        }
        PartitionPredicate partitions = partitions(table, spec);
        if (partitions != null) {
            builder.withPartitionFilter(partitions);
        }
        return builder;
    }

    /** The engine takes partitions from the filters only where none are given apart, so both are joined here. */
    private static @Nullable PartitionPredicate partitions(StoreTable table, ReadSpec spec) {
        PartitionPredicate given = spec.partitions();
        if (given == null || spec.filters().isEmpty()) {
            return given;
        }
        Predicate all = PredicateBuilder.and(spec.filters());
        Optional<PartitionPredicate> filtered =
                PartitionPredicate.splitPartitionPredicate(all, table.rowType(), table.partitionKeys());
        List<PartitionPredicate> joined = new ArrayList<>();
        joined.add(given);
        filtered.ifPresent(joined::add);
        return PartitionPredicate.and(joined);
    }

    static boolean canFollow(StoreTable table) {
        return table.table() instanceof DataTable;
    }

    /** Whether rows of one bucket mean something only in the order they were written. */
    static boolean orderedByBucket(StoreTable table) {
        if (!table.primaryKeys().isEmpty()) {
            return true;
        }
        Options options = Options.fromMap(table.options());
        return options.get(CoreOptions.BUCKET) > 0 && options.get(CoreOptions.BUCKET_APPEND_ORDERED);
    }
}
