/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.PartitionChoice;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.RowKind;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.jspecify.annotations.Nullable;

/** What a scan leaves out: by partition where a condition is about partitions, else by row. */
final class ScanPartitions {

    private ScanPartitions() {}

    /**
     * A table that is followed without a complete changelog tells only what a row has become: leaving out a row that no
     * longer meets a condition would leave its old form standing. By its key it stays the same row.
     */
    static boolean canFilter(StoreTable table, boolean followed, ReadSpec spec, Predicate condition) {
        ChangelogMode changelog = ScanChangelog.of(table);
        boolean complete = changelog.containsOnly(RowKind.INSERT) || changelog.contains(RowKind.UPDATE_BEFORE);
        return !followed
                || spec.changes()
                || complete
                || table.primaryKeys().containsAll(PredicateVisitor.collectFieldNames(condition));
    }

    static ReadSpec filtered(StoreTable table, ReadSpec spec, ScanFilters.Converted condition) {
        Set<String> names = PredicateVisitor.collectFieldNames(condition.predicate());
        // Scans of other tables may overlook partitions that are given apart from the conditions.
        boolean snapshots = table.kind() == StoreTable.Kind.APPEND || table.kind() == StoreTable.Kind.PRIMARY_KEY;
        if (!snapshots
                || !condition.exact()
                || names.isEmpty()
                || !table.partitionKeys().containsAll(names)) {
            return spec.withFilters(List.of(condition.predicate()));
        }
        return PartitionPredicate.splitPartitionPredicate(condition.predicate(), table.rowType(), table.partitionKeys())
                .map(partitions -> spec.withPartitions(and(spec.partitions(), partitions)))
                .orElseGet(() -> spec.withFilters(List.of(condition.predicate())));
    }

    private static PartitionPredicate and(@Nullable PartitionPredicate before, PartitionPredicate more) {
        return before == null ? more : PartitionPredicate.and(List.of(before, more));
    }

    /** With what the option names; lists the table's partitions if it is set. */
    static ReadSpec chosen(StoreTable table, ReadSettings settings, ReadSpec spec) {
        String choice = settings.rows().partitions();
        if (choice == null) {
            return spec;
        }
        try {
            return spec.withPartitions(and(spec.partitions(), PartitionChoice.of(table, choice)));
        } catch (IllegalArgumentException e) {
            throw Refusal.of(Refusal.words(e) + ".", e);
        }
    }

    /** @throws ValidationException if all partitions are read and that is not allowed */
    static void checkFullScan(StoreTable table, ReadSettings settings, ReadSpec spec) {
        if (settings.rows().fullScanAllowed()
                || table.partitionKeys().isEmpty()
                || spec.partitions() != null
                || settings.rows().partitions() != null) {
            return;
        }
        // A condition that is about other columns too, such as dt = 'x' OR id = 3, leaves no partition out.
        boolean chosen = spec.filters().stream()
                .flatMap(filter -> PredicateBuilder.splitAnd(filter).stream())
                .map(PredicateVisitor::collectFieldNames)
                .anyMatch(columns -> !columns.isEmpty() && table.partitionKeys().containsAll(columns));
        if (!chosen) {
            throw new ValidationException(
                    "Table " + table.name() + " would be read whole, which '" + ReadOptions.ALLOW_FULL_SCAN.key()
                            + "' = 'false' does not allow. Filter by its partition keys " + table.partitionKeys()
                            + " in WHERE, set 'scan.partitions', or set the option to 'true' for this statement.");
        }
    }
}
