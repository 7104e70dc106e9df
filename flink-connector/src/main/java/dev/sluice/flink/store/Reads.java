/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.Options;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.DataTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.TableRead;
import org.apache.paimon.table.system.ReadOptimizedTable;
import org.jspecify.annotations.Nullable;

/** What planning and reading have in common: the engine's builder, set up from a {@link ReadSpec}. */
final class Reads {

    /** Belongs to the connector, not to the engine. */
    private static final String SCAN_BOUNDED = "scan.bounded";

    private Reads() {}

    /** Without the limit, which only planning a bounded read may use. */
    static ReadBuilder builder(StoreTable table, ReadSpec spec) {
        return builder(table.table(), table, spec, ReadLayout.of(table, spec));
    }

    private static ReadBuilder builder(Table engineTable, StoreTable table, ReadSpec spec, ReadLayout layout) {
        ReadBuilder builder = engineTable.newReadBuilder();
        if (spec.columns() != null || layout.sequenceInFile()) {
            builder.withReadType(layout.engineType());
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

    /** Gives rows of the layout's engine type. */
    static TableRead read(StoreTable table, ReadSpec spec, ReadLayout layout) {
        Table engineTable = table.table();
        if (layout.sequenceBesideRow()) {
            engineTable = table.fileStore()
                    .copyWithoutTimeTravel(Map.of(CoreOptions.KEY_VALUE_SEQUENCE_NUMBER_ENABLED.key(), "true"));
        }
        TableRead read = builder(engineTable, table, spec, layout).newRead();
        if ((spec.changes() || layout.sequenceBesideRow()) && read instanceof InnerTableRead inner) {
            inner.forceKeepDelete();
        }
        return read;
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

    /** Whether reading leaves rows out that the table's metadata counts. */
    static boolean rowsVanishWithTime(StoreTable table) {
        return table.options().containsKey(CoreOptions.RECORD_LEVEL_EXPIRE_TIME.key());
    }

    /** Whether rows may lie in files that no bucket has taken yet. */
    static boolean postponed(StoreTable table) {
        return CoreOptions.fromMap(table.options()).bucket() == BucketMode.POSTPONE_BUCKET;
    }

    static boolean canFollow(StoreTable table) {
        if (table.table() instanceof ReadOptimizedTable) {
            // By key its rows are those of the last full compaction, of which no snapshot tells the difference.
            return table.primaryKeys().isEmpty();
        }
        return table.table() instanceof DataTable;
    }

    /**
     * Snapshots hold rows as they were written. These merge engines make others of them, which only a changelog tells:
     * without one a later part of a row would pass for the whole.
     */
    static void checkFollow(StoreTable table) {
        if (!canFollow(table)) {
            throw new IllegalArgumentException("Table " + table.name() + " is of kind " + table.kind()
                    + " and has no snapshots to follow; read it with Boundedness.BOUNDED.");
        }
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            return;
        }
        CoreOptions options = CoreOptions.fromMap(table.options());
        if (options.mergeEngine() != CoreOptions.MergeEngine.DEDUPLICATE
                && options.changelogProducer() == CoreOptions.ChangelogProducer.NONE) {
            throw new IllegalArgumentException("Table " + table.name() + " has '" + CoreOptions.MERGE_ENGINE.key()
                    + "' = '" + options.mergeEngine() + "' and no changelog, so a streaming read would give rows as"
                    + " they were written, not as they are merged. Write the table with '"
                    + CoreOptions.CHANGELOG_PRODUCER.key() + "' = 'lookup'"
                    + (options.mergeEngine() == CoreOptions.MergeEngine.FIRST_ROW ? "" : " or 'full-compaction'")
                    + " (ALTER TABLE ... SET), or read it once: in batch, or with '" + SCAN_BOUNDED + "' = 'true'.");
        }
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
