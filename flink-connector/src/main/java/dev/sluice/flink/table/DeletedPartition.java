/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.predicate.Equal;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.LeafPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.types.DataTypeRoot;

/** The condition of a DELETE, where it names whole partitions. */
final class DeletedPartition {

    private DeletedPartition() {}

    /**
     * The partition keys that the rows to delete have, with their values as the engine writes them in a path; empty keys
     * mean all rows.
     *
     * @return empty if the condition is not met by whole partitions only, or that cannot be told
     */
    static Optional<Map<String, String>> of(StoreTable table, List<ResolvedExpression> conditions) {
        ScanFilters filters = new ScanFilters(table.rowType(), table.rowType()::containsField);
        Map<String, String> partition = new HashMap<>();
        for (ResolvedExpression condition : conditions) {
            Optional<ScanFilters.Converted> converted = filters.convert(condition);
            if (converted.isEmpty() || !converted.get().exact()) {
                return Optional.empty();
            }
            for (Predicate part : PredicateBuilder.splitAnd(converted.get().predicate())) {
                if (!add(table, part, partition)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(partition);
    }

    /** Whether the part says what value one partition key has, and no other part says another. */
    private static boolean add(StoreTable table, Predicate part, Map<String, String> partition) {
        if (!(part instanceof LeafPredicate leaf) || !(leaf.function() instanceof Equal)) {
            return false;
        }
        Optional<String> key = leaf.fieldRefOptional().map(FieldRef::name).filter(table.partitionKeys()::contains);
        if (key.isEmpty()) {
            return false;
        }
        DataTypeRoot type = table.rowType().getField(key.get()).type().getTypeRoot();
        Optional<String> value = value(table, type, leaf.literals().get(0));
        if (value.isEmpty()) {
            return false;
        }
        String other = partition.put(key.get(), value.get());
        return other == null || other.equals(value.get());
    }

    private static Optional<String> value(StoreTable table, DataTypeRoot type, Object literal) {
        return switch (type) {
            case CHAR, VARCHAR -> {
                // Blank texts and the name that stands for NULL share one folder.
                String unnamed = CoreOptions.fromMap(table.options()).partitionDefaultName();
                String text = literal.toString();
                yield text.isBlank() || text.equals(unnamed) ? Optional.empty() : Optional.of(text);
            }
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> Optional.of(literal.toString());
            case DATE -> Optional.of(LocalDate.ofEpochDay((Integer) literal).toString());
            default -> Optional.empty();
        };
    }
}
