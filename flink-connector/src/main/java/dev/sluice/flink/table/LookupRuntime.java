/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.lookup.BucketShuffle;
import dev.sluice.flink.lookup.LookupSpec;
import dev.sluice.flink.lookup.PaimonAsyncLookupFunction;
import dev.sluice.flink.lookup.PaimonLookupFunction;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsLookupCustomShuffle.InputDataPartitioner;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.paimon.predicate.Predicate;
import org.jspecify.annotations.Nullable;

/** The dimension side of a lookup join. Used on the planner's thread. */
final class LookupRuntime {

    private LookupRuntime() {}

    /**
     * @param topLevelProjection positions in the table's row type of the columns of a result row, in its order
     * @param filters over positions in the table's row type; all must hold for a row to match
     * @throws ValidationException if the table cannot be probed by the keys of the context
     */
    static LookupTableSource.LookupRuntimeProvider provider(
            StoreTable table,
            LookupSettings settings,
            int[] topLevelProjection,
            List<Predicate> filters,
            LookupTableSource.LookupContext context) {
        return provider(spec(table, settings, topLevelProjection, filters, context));
    }

    static LookupTableSource.LookupRuntimeProvider provider(LookupSpec spec) {
        return spec.settings().async()
                ? AsyncLookupFunctionProvider.of(new PaimonAsyncLookupFunction(spec))
                : LookupFunctionProvider.of(new PaimonLookupFunction(spec));
    }

    /** Empty if probes go where Flink sends them. */
    static Optional<InputDataPartitioner> partitioner(@Nullable LookupSpec spec) {
        return spec == null || !spec.shuffled() ? Optional.empty() : Optional.of(new BucketShuffle(spec));
    }

    /** As {@link #provider}. */
    static LookupSpec spec(
            StoreTable table,
            LookupSettings settings,
            int[] projection,
            List<Predicate> filters,
            LookupTableSource.LookupContext context) {
        int[][] keyPaths = context.getKeys();
        List<Integer> keys = new ArrayList<>(keyPaths.length);
        for (int[] path : keyPaths) {
            if (path.length != 1) {
                throw new ValidationException("A lookup join with table " + table.name()
                        + " compares a field inside column '"
                        + table.rowType().getFieldNames().get(projection[path[0]])
                        + "'. Accepted are whole columns; compare the field in the WHERE clause instead.");
            }
            keys.add(path[0]);
        }
        try {
            List<Integer> columns = IntStream.of(projection).boxed().toList();
            LookupSpec spec = new LookupSpec(table, columns, keys, filters, settings);
            return context.preferCustomShuffle() ? spec.shuffledIfPossible() : spec;
        } catch (IllegalArgumentException e) {
            throw new ValidationException(e.getMessage(), e);
        }
    }
}
