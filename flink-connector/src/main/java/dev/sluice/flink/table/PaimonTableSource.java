/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.lookup.LookupSpec;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.source.PaimonSource;
import dev.sluice.flink.store.MetadataColumn;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsDynamicFiltering;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLookupCustomShuffle;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.abilities.SupportsRowLevelModificationScan;
import org.apache.flink.table.connector.source.abilities.SupportsStatisticReport;
import org.apache.flink.table.connector.source.abilities.SupportsWatermarkPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.AggregateExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.plan.stats.TableStats;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.utils.TypeConversions;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.predicate.Predicate;
import org.jspecify.annotations.Nullable;

/** A table on the reading side of a statement: scans and lookup joins. Used on the planner's thread only. */
class PaimonTableSource
        implements ScanTableSource,
                LookupTableSource,
                SupportsLookupCustomShuffle,
                SupportsProjectionPushDown,
                SupportsFilterPushDown,
                SupportsLimitPushDown,
                SupportsReadingMetadata,
                SupportsRowLevelModificationScan,
                SupportsDynamicFiltering,
                SupportsStatisticReport,
                SupportsWatermarkPushDown {

    private final OpenedTable opened;
    private final StoreTable table;
    private final ReadSettings settings;
    private final boolean streaming;
    private ReadSpec spec;

    /** What a lookup filters by, which is all that the engine can; a scan may have to leave some to Flink. */
    private List<Predicate> lookupFilters = List.of();

    /** The lookup that the planner asked for last, which it asks the partitioner of next; null before. */
    private @Nullable LookupSpec plannedLookup;

    /** Names of the produced columns that are whole columns of the table; null for all of them. */
    private @Nullable Set<String> wholeColumns;

    private @Nullable WatermarkStrategy<RowData> watermarks;
    private List<String> dynamicPartitionKeys = List.of();
    private @Nullable KnownRows answer;

    /** @param streaming whether the scan goes on after the table's present content, where the table can be followed */
    PaimonTableSource(OpenedTable opened, ReadSettings settings, boolean streaming) {
        this.opened = opened;
        this.table = opened.table();
        this.settings = settings;
        this.streaming = streaming;
        this.spec = settings.rows().changelog() ? ReadSpec.everything().withChanges() : ReadSpec.everything();
    }

    /** See {@link #PaimonTableSource}. */
    static PaimonTableSource of(OpenedTable opened, ReadSettings settings, boolean streaming) {
        return AggregatingTableSource.source(opened, settings, streaming);
    }

    /** For a copy: a source of this kind with nothing pushed into it. */
    PaimonTableSource another(OpenedTable opened, ReadSettings settings, boolean streaming) {
        return new PaimonTableSource(opened, settings, streaming);
    }

    @Override
    public final RowLevelModificationScanContext applyRowLevelModificationScan(
            RowLevelModificationType type, @Nullable RowLevelModificationScanContext previous) {
        return ChangedScan.after(previous, opened);
    }

    private boolean unbounded() {
        return streaming && table.canFollow();
    }

    @Override
    public final ChangelogMode getChangelogMode() {
        return unbounded() && !spec.changes() ? ScanChangelog.of(table) : ChangelogMode.insertOnly();
    }

    @Override
    public final ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        if (unbounded()) {
            ReadPosition.checkFollowed(opened);
        } else {
            ReadPosition.checkEndsByItself(opened);
        }
        if (answer != null) {
            return answer;
        }
        Boundedness boundedness = unbounded() ? Boundedness.CONTINUOUS_UNBOUNDED : Boundedness.BOUNDED;
        refused(() -> PaimonSource.of(table, spec, settings, boundedness));
        ReadSpec pushed = spec;
        return new ScanStream(
                () -> source(pushed, boundedness),
                boundedness,
                opened,
                spec.readType(table),
                settings.parallelism(),
                () -> ScanParallelism.inferred(
                        table, ScanPartitions.chosen(table, settings, pushed), settings, unbounded()),
                getChangelogMode(),
                ScanWatermarks.strategy(
                        watermarks,
                        settings.watermarks(),
                        unbounded() ? settings.stream().boundedWatermarkInterval() : null));
    }

    /** Flink also asks for a scan before it has pushed anything, so what was pushed is judged only in here. */
    private PaimonSource source(ReadSpec pushed, Boundedness boundedness) {
        ScanPartitions.checkFullScan(table, settings, pushed);
        ScanChangelog.checkKindIsRead(table, pushed);
        return refused(
                () -> PaimonSource.of(table, ScanPartitions.chosen(table, settings, pushed), settings, boundedness)
                        .withDynamicPartitionKeys(dynamicPartitionKeys));
    }

    private static PaimonSource refused(Supplier<PaimonSource> source) {
        try {
            return source.get();
        } catch (IllegalArgumentException e) {
            throw Refusal.of(Refusal.words(e) + ".", e);
        }
    }

    @Override
    public final LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        if (!spec.metadata().isEmpty()) {
            throw new ValidationException("Table " + table.name()
                    + ": a lookup join gives no metadata columns. Leave them out of the statement, or scan the table.");
        }
        opened.log("lookup");
        LookupSettings lookup = opened.settings(LookupSettings::from);
        List<List<Integer>> paths = spec.columns() == null
                ? IntStream.range(0, table.rowType().getFieldCount())
                        .mapToObj(List::of)
                        .toList()
                : spec.columns();
        return NestedLookup.provider(table, paths, context, (columns, inner) -> {
            LookupSpec planned = LookupRuntime.spec(table, lookup, columns, lookupFilters, inner);
            plannedLookup = planned;
            return LookupRuntime.provider(planned);
        });
    }

    @Override
    public final Optional<InputDataPartitioner> getPartitioner() {
        return LookupRuntime.partitioner(plannedLookup);
    }

    @Override
    public final boolean supportsNestedProjection() {
        return true;
    }

    @Override
    public final void applyProjection(int[][] projectedFields, DataType producedDataType) {
        List<List<Integer>> paths = new ArrayList<>();
        Set<String> whole = new HashSet<>();
        for (int i = 0; i < projectedFields.length; i++) {
            paths.add(Arrays.stream(projectedFields[i]).boxed().toList());
            if (projectedFields[i].length == 1) {
                whole.add(DataType.getFieldNames(producedDataType).get(i));
            }
        }
        spec = spec.withColumns(paths);
        wholeColumns = whole;
    }

    /** Those that the engine holds exactly are gone from Flink's plan; the others only save it rows. */
    @Override
    public final Result applyFilters(List<ResolvedExpression> filters) {
        ScanFilters converter = new ScanFilters(table.rowType(), this::isColumn);
        List<ResolvedExpression> accepted = new ArrayList<>();
        List<ResolvedExpression> remaining = new ArrayList<>();
        List<Predicate> forLookup = new ArrayList<>(lookupFilters);
        for (ResolvedExpression filter : filters) {
            ScanFilters.Converted converted = converter.convert(filter).orElse(null);
            if (converted == null) {
                remaining.add(filter);
                continue;
            }
            accepted.add(filter);
            forLookup.add(converted.predicate());
            boolean held = ScanPartitions.canFilter(table, unbounded(), spec, converted.predicate());
            if (held) {
                spec = ScanPartitions.filtered(table, spec, converted);
            }
            if (!held || !converted.exact()) {
                remaining.add(filter);
            }
        }
        lookupFilters = List.copyOf(forLookup);
        return Result.of(accepted, remaining);
    }

    private boolean isColumn(String name) {
        return wholeColumns == null ? table.rowType().containsField(name) : wholeColumns.contains(name);
    }

    /** Flink 2 makes an int of the statement's number, so one beyond that comes as a negative one. */
    @Override
    public final void applyLimit(long limit) {
        if (limit >= 0) {
            spec = spec.withLimit(limit);
        }
    }

    /** See {@link AggregatingTableSource}. */
    boolean answer(int[] grouping, List<AggregateExpression> aggregates, DataType producedDataType) {
        if (unbounded() || spec.changes() || !spec.metadata().isEmpty()) {
            return false;
        }
        ReadSpec chosen = ScanPartitions.chosen(table, settings, spec);
        answer = ScanAggregates.answer(table, chosen, grouping, aggregates, producedDataType)
                .orElse(null);
        return answer != null;
    }

    @Override
    public final Map<String, DataType> listReadableMetadata() {
        Map<String, DataType> readable = new LinkedHashMap<>();
        for (MetadataColumn column : MetadataColumn.values()) {
            readable.put(
                    column.key(),
                    TypeConversions.fromLogicalToDataType(LogicalTypeConversion.toLogicalType(column.type())));
        }
        return readable;
    }

    @Override
    public final void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {
        spec = spec.withMetadata(metadataKeys.stream()
                .map(key -> MetadataColumn.of(key)
                        .orElseThrow(() -> new IllegalArgumentException("Table " + table.name()
                                + " has no metadata '" + key + "'; it has "
                                + listReadableMetadata().keySet() + ".")))
                .toList());
    }

    @Override
    public final List<String> listAcceptedFilterFields() {
        if (!DynamicFiltering.works()) {
            return List.of();
        }
        boolean snapshots = table.kind() == StoreTable.Kind.APPEND || table.kind() == StoreTable.Kind.PRIMARY_KEY;
        return unbounded() || !snapshots ? List.of() : table.partitionKeys();
    }

    @Override
    public final void applyDynamicFiltering(List<String> candidateFilterFields) {
        dynamicPartitionKeys = List.copyOf(candidateFilterFields);
    }

    @Override
    public final TableStats reportStatistics() {
        return unbounded()
                ? TableStats.UNKNOWN
                : ScanStatistics.of(table, ScanPartitions.chosen(table, settings, spec));
    }

    @Override
    public final void applyWatermark(WatermarkStrategy<RowData> watermarkStrategy) {
        watermarks = watermarkStrategy;
    }

    @Override
    public final DynamicTableSource copy() {
        PaimonTableSource copy = another(opened, settings, streaming);
        copy.spec = spec;
        copy.lookupFilters = lookupFilters;
        copy.wholeColumns = wholeColumns;
        copy.watermarks = watermarks;
        copy.dynamicPartitionKeys = dynamicPartitionKeys;
        copy.answer = answer;
        return copy;
    }

    @Override
    public final String asSummaryString() {
        StringBuilder summary = new StringBuilder("Paimon table ").append(table.name());
        if (spec.columns() != null) {
            summary.append(", columns ").append(spec.readType(table).getFieldNames());
        }
        if (!spec.filters().isEmpty()) {
            summary.append(", filters ")
                    .append(spec.filters().stream().map(Predicate::toString).collect(Collectors.joining(", ")));
        }
        if (spec.partitions() != null) {
            summary.append(", partitions ").append(spec.partitions());
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
