/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.source.enumerate.BoundedEnumerator;
import dev.sluice.flink.source.enumerate.ContinuousEnumerator;
import dev.sluice.flink.source.enumerate.EnumeratorState;
import dev.sluice.flink.source.enumerate.EnumeratorStateSerializer;
import dev.sluice.flink.source.enumerate.FollowRules;
import dev.sluice.flink.source.read.PaimonReader;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.PaimonSplitSerializer;
import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.PartitionValues;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.SnapshotFollower;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.table.source.Split;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Paimon table: once, or once and then on with every new snapshot. Rows carry their row kinds; a row object is
 * reused, so whoever keeps one copies it.
 *
 * <pre>{@code
 * DataStream<RowData> rows = env.fromSource(
 *         PaimonSource.of(table, ReadSpec.everything(), settings, Boundedness.BOUNDED),
 *         WatermarkStrategy.noWatermarks(),
 *         "Source: orders");
 * }</pre>
 */
public final class PaimonSource implements Source<RowData, PaimonSplit, EnumeratorState>, ResultTypeQueryable<RowData> {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final ReadSpec spec;
    private final ReadSettings settings;
    private final Boundedness boundedness;
    private final RowType readType;
    private final List<String> dynamicPartitionKeys;

    private PaimonSource(
            StoreTable table,
            ReadSpec spec,
            ReadSettings settings,
            Boundedness boundedness,
            List<String> dynamicPartitionKeys) {
        this.dynamicPartitionKeys = dynamicPartitionKeys;
        this.table = table;
        this.spec = spec;
        this.settings = settings;
        this.boundedness = boundedness;
        this.readType = LogicalTypeConversion.toLogicalType(spec.readType(table));
    }

    /**
     * @param boundedness BOUNDED reads what the table holds, at the place in time that its options name, and ends;
     *     CONTINUOUS_UNBOUNDED goes on with new snapshots
     * @throws IllegalArgumentException if the table has no snapshots to go on with, if they do not give its rows (most
     *     merge engines need a changelog producer for that), or if {@code spec} names a column
     *     that it does not have
     */
    public static PaimonSource of(StoreTable table, ReadSpec spec, ReadSettings settings, Boundedness boundedness) {
        if (boundedness == Boundedness.CONTINUOUS_UNBOUNDED) {
            table.checkFollow();
        }
        return new PaimonSource(table, spec, settings, boundedness, List.of());
    }

    /**
     * Takes a filter on these partition keys while a bounded read runs, if Flink's planner sends one.
     *
     * @param keys in the order of the filter's fields; empty for no such filter
     */
    public PaimonSource withDynamicPartitionKeys(List<String> keys) {
        return new PaimonSource(table, spec, settings, boundedness, List.copyOf(keys));
    }

    @Override
    public Boundedness getBoundedness() {
        return boundedness;
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        return InternalTypeInfo.of(readType);
    }

    @Override
    public SplitEnumerator<PaimonSplit, EnumeratorState> createEnumerator(SplitEnumeratorContext<PaimonSplit> context) {
        return boundedness == Boundedness.BOUNDED
                ? BoundedEnumerator.fresh(context, plan(), partitionValues())
                : ContinuousEnumerator.fresh(context, follower(null), followRules());
    }

    @Override
    public SplitEnumerator<PaimonSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<PaimonSplit> context, EnumeratorState state) {
        return boundedness == Boundedness.BOUNDED
                ? BoundedEnumerator.restored(context, plan(), partitionValues(), state)
                : ContinuousEnumerator.restored(context, follower(state.position()), followRules(), state);
    }

    private FollowRules followRules() {
        boolean endsWithPresent = settings.stream().boundedWatermarkInterval() != null
                && !table.options().containsKey(CoreOptions.SCAN_BOUNDED_WATERMARK.key());
        return FollowRules.of(inOrder(), endsWithPresent, settings);
    }

    private Callable<List<Split>> plan() {
        return () -> BoundedPlan.splits(table, spec);
    }

    private PartitionValues partitionValues() {
        return PartitionValues.of(table, dynamicPartitionKeys);
    }

    private ContinuousEnumerator.Follower follower(@Nullable Long position) {
        return new LazyFollower(table, spec, position);
    }

    private boolean inOrder() {
        return boundedness == Boundedness.CONTINUOUS_UNBOUNDED && table.orderedByBucket();
    }

    @Override
    public SimpleVersionedSerializer<PaimonSplit> getSplitSerializer() {
        return new PaimonSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return new EnumeratorStateSerializer();
    }

    @Override
    public SourceReader<RowData, PaimonSplit> createReader(SourceReaderContext context) {
        Long limit = boundedness == Boundedness.BOUNDED ? spec.limit() : null;
        return new PaimonReader(
                table, spec, readType, Objects.requireNonNullElse(limit, Long.MAX_VALUE), inOrder() ? 1 : 2, context);
    }

    /** Opens the table on the first look, which is on a thread that may wait for the store. */
    private static final class LazyFollower implements ContinuousEnumerator.Follower {

        private final StoreTable table;
        private final ReadSpec spec;
        private final @Nullable Long position;
        private @Nullable SnapshotFollower opened;

        LazyFollower(StoreTable table, ReadSpec spec, @Nullable Long position) {
            this.table = table;
            this.spec = spec;
            this.position = position;
        }

        private synchronized SnapshotFollower opened() {
            SnapshotFollower follower = opened;
            if (follower == null) {
                follower = SnapshotFollower.open(table, spec, position);
                opened = follower;
            }
            return follower;
        }

        @Override
        public SnapshotFollower.Step next() {
            return opened().next();
        }

        @Override
        public @Nullable Long latest() {
            return SnapshotFollower.latest(table);
        }

        @Override
        public void keepFrom(long oldest) {
            opened().keepFrom(oldest);
        }
    }
}
