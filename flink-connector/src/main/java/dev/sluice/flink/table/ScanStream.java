/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.source.PaimonSource;
import dev.sluice.flink.store.StoreTable;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.SourceTransformationWrapper;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * The source in the job's graph. A parallelism of its own must not reach the operators behind it. For rows that are
 * only inserted Flink sees to that; for changes it would spread rows by the key's place in the whole table, which is
 * another one once columns are projected, so that is done here.
 */
final class ScanStream implements DataStreamScanProvider {

    private static final String SOURCE_UID = "paimon-source";

    private final Supplier<PaimonSource> source;
    private final Boundedness boundedness;
    private final OpenedTable opened;
    private final RowType readType;
    private final @Nullable Integer parallelism;
    private final Supplier<Optional<Integer>> inferred;
    private final boolean insertOnly;
    private final WatermarkStrategy<RowData> watermarks;

    /**
     * @param source made when the job is; may refuse to
     * @param parallelism that somebody has chosen for the scan alone; null for the job's
     * @param inferred asked when the job is made, if none is chosen; operators chained to the source follow it, since a
     *     shuffle between them would cost more than their idling
     */
    ScanStream(
            Supplier<PaimonSource> source,
            Boundedness boundedness,
            OpenedTable opened,
            RowType readType,
            @Nullable Integer parallelism,
            Supplier<Optional<Integer>> inferred,
            ChangelogMode changelog,
            WatermarkStrategy<RowData> watermarks) {
        this.source = source;
        this.boundedness = boundedness;
        this.opened = opened;
        this.readType = readType;
        this.parallelism = parallelism;
        this.inferred = inferred;
        this.watermarks = watermarks;
        this.insertOnly = changelog.containsOnly(RowKind.INSERT);
    }

    @Override
    public boolean isBounded() {
        return boundedness == Boundedness.BOUNDED;
    }

    @Override
    public Optional<Integer> getParallelism() {
        return insertOnly ? Optional.ofNullable(parallelism) : Optional.empty();
    }

    @Override
    public DataStream<RowData> produceDataStream(ProviderContext context, StreamExecutionEnvironment env) {
        opened.checkScan();
        StoreTable table = opened.table();
        opened.log("scan");
        checkSnapshotCount(env);
        DataStreamSource<RowData> stream = env.fromSource(source.get(), watermarks, table.name());
        context.generateUid(SOURCE_UID).ifPresent(stream::uid);
        if (parallelism == null) {
            inferred.get().ifPresent(stream::setParallelism);
            return stream;
        }
        if (insertOnly) {
            return stream;
        }
        stream.setParallelism(parallelism);
        return new DataStream<>(env, new SourceTransformationWrapper<>(stream.getTransformation()))
                .partitionCustom(Math::floorMod, RowHash.of(readType, table.primaryKeys()));
    }

    /** Without checkpoints the count would never start anew, and the read would stop for good. */
    private void checkSnapshotCount(StreamExecutionEnvironment env) {
        int most = opened.configuration().get(ReadOptions.MAX_SNAPSHOT_COUNT);
        if (!isBounded() && most > 0 && !env.getCheckpointConfig().isCheckpointingEnabled()) {
            throw new ValidationException("Table " + opened.table().name() + ", option '"
                    + ReadOptions.MAX_SNAPSHOT_COUNT.key() + "' = '" + most
                    + "' counts snapshots between two checkpoints, and this job makes none. Set"
                    + " 'execution.checkpointing.interval', or leave the option out.");
        }
    }
}
