/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.table.plan.stats.ColumnStats;
import org.apache.paimon.stats.ColStats;
import org.jspecify.annotations.Nullable;

/** What ANALYZE has found out about a table's columns. */
public final class ColumnFigures {

    private ColumnFigures() {}

    /** By column name; empty if the table was never analyzed. Reads metadata. */
    public static Map<String, ColumnStats> of(StoreTable table) {
        Map<String, ColumnStats> columns = new HashMap<>();
        table.table()
                .statistics()
                .ifPresent(found -> found.colStats().forEach((name, figures) -> columns.put(name, column(figures))));
        return columns;
    }

    private static ColumnStats column(ColStats<?> found) {
        Long averageBytes = orNull(found.avgLen());
        Long maxBytes = orNull(found.maxLen());
        return new ColumnStats(
                orNull(found.distinctCount()),
                orNull(found.nullCount()),
                averageBytes == null ? null : Double.valueOf(averageBytes),
                maxBytes == null ? null : Integer.valueOf((int) Math.min(Integer.MAX_VALUE, maxBytes)),
                number(found.max().orElse(null)),
                number(found.min().orElse(null)));
    }

    /** Other values are of the engine's own classes, which the planner could not compare. */
    private static @Nullable Comparable<?> number(@Nullable Object value) {
        return value instanceof Number && value instanceof Comparable<?> number ? number : null;
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
