/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.source.PaimonSource;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;
import org.apache.paimon.predicate.Predicate;

/** A table on the reading side of a statement: scans and lookup joins. Used on the planner's thread only. */
final class PaimonTableSource
        implements ScanTableSource,
                LookupTableSource,
                SupportsProjectionPushDown,
                SupportsFilterPushDown,
                SupportsLimitPushDown {

    private final OpenedTable opened;
    private final StoreTable table;
    private final ReadSettings settings;
    private final boolean streaming;
    private ReadSpec spec = ReadSpec.everything();

    /** @param streaming whether the scan goes on after the table's present content, where the table can be followed */
    PaimonTableSource(OpenedTable opened, ReadSettings settings, boolean streaming) {
        this.opened = opened;
        this.table = opened.table();
        this.settings = settings;
        this.streaming = streaming;
    }

    private boolean unbounded() {
        return streaming && table.canFollow();
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return unbounded() ? ScanChangelog.of(table) : ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        Boundedness boundedness = unbounded() ? Boundedness.CONTINUOUS_UNBOUNDED : Boundedness.BOUNDED;
        if (unbounded()) {
            ReadPosition.checkFollowed(opened);
        }
        PaimonSource source = source(boundedness);
        return new ScanStream(source, opened, spec.readType(table), settings.parallelism(), getChangelogMode());
    }

    private PaimonSource source(Boundedness boundedness) {
        try {
            return PaimonSource.of(table, spec, settings, boundedness);
        } catch (IllegalArgumentException e) {
            throw Refusal.of(Refusal.words(e) + ".", e);
        }
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        List<Integer> columns = spec.projection();
        int[] topLevel = columns == null
                ? IntStream.range(0, table.rowType().getFieldCount()).toArray()
                : columns.stream().mapToInt(Integer::intValue).toArray();
        opened.log("lookup");
        LookupSettings lookup = opened.settings(LookupSettings::from);
        return LookupRuntime.provider(table, lookup, topLevel, spec.filters(), context);
    }

    @Override
    public boolean supportsNestedProjection() {
        return false;
    }

    @Override
    public void applyProjection(int[][] projectedFields, DataType producedDataType) {
        spec = spec.withProjection(
                Arrays.stream(projectedFields).map(path -> path[0]).toList());
    }

    /** All filters stay with Flink too: the engine leaves out files and rows by them, but not every row that fails. */
    @Override
    public Result applyFilters(List<ResolvedExpression> filters) {
        List<ResolvedExpression> accepted = new ArrayList<>();
        List<Predicate> pushed = new ArrayList<>();
        ScanFilters converter = new ScanFilters(table.rowType());
        for (ResolvedExpression filter : filters) {
            converter.convert(filter).ifPresent(predicate -> {
                accepted.add(filter);
                pushed.add(predicate);
            });
        }
        spec = spec.withFilters(pushed);
        return Result.of(accepted, filters);
    }

    @Override
    public void applyLimit(long limit) {
        spec = spec.withLimit(limit);
    }

    @Override
    public DynamicTableSource copy() {
        PaimonTableSource copy = new PaimonTableSource(opened, settings, streaming);
        copy.spec = spec;
        return copy;
    }

    @Override
    public String asSummaryString() {
        StringBuilder summary = new StringBuilder("Paimon table ").append(table.name());
        if (spec.projection() != null) {
            summary.append(", columns ").append(spec.readType(table).getFieldNames());
        }
        if (!spec.filters().isEmpty()) {
            summary.append(", filters ").append(spec.filters());
        }
        if (spec.limit() != null) {
            summary.append(", limit ").append(spec.limit());
        }
        if (!opened.dynamicWords().isEmpty()) {
            summary.append(", options ").append(opened.dynamicWords());
        }
        return summary.toString();
    }
}
