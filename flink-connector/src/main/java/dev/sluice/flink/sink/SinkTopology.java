/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.CommitSettings;
import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.commit.CommitterOperatorFactory;
import dev.sluice.flink.sink.commit.CommitterPlan;
import dev.sluice.flink.store.CommitListeners;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.FullCompactions;
import dev.sluice.flink.store.LocalMerge;
import dev.sluice.flink.store.SmallFiles;
import dev.sluice.flink.store.SnapshotCommitter;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WritableFormats;
import dev.sluice.flink.store.WriteLayout;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.runtime.partitioner.GlobalPartitioner;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/**
 * The operators of one sink: rows into writers, in the way of the table's buckets, and the writers' committables into one
 * committer.
 *
 * @param overwrite the partition to replace, or null to add to the table
 * @param opener opens the committer where it runs
 */
record SinkTopology(
        StoreTable table,
        WriteSettings settings,
        boolean streaming,
        @Nullable Map<String, String> overwrite,
        Committer.Opener opener,
        OperatorUids uids) {

    DataStreamSink<?> attachTo(DataStream<RowData> input) {
        WritableFormats.check(table);
        if (table.kind() == StoreTable.Kind.FORMAT && !streaming) {
            return FormatTopology.attach(input, table, settings, overwrite, uids);
        }
        WriteLayout layout = WriteLayout.of(table, streaming);
        CommitListeners.check(table, settings.commit());
        if (streaming) {
            CheckpointingRules.check(table, input.getExecutionEnvironment(), settings.configurationChecked());
        }
        StoreTable merged = settings.writer().smallFilesMerged() ? SmallFiles.mergedEagerly(table) : table;
        StoreTable tuned = FullCompactions.intervalInCommits(
                merged,
                streaming
                        ? input.getExecutionEnvironment().getCheckpointConfig().getCheckpointInterval()
                        : 0);
        SinkStages stages = new SinkStages(
                tuned, settings, streaming, overwrite != null, SnapshotCommitter.newCommitUser(table), uids);
        DataStream<RowData> rows = LocalMerge.wanted(tuned) ? stages.locallyMerged(input) : input;
        DataStream<Committable> written = switch (layout) {
            case FIXED_BUCKETS -> FixedBucketTopology.write(rows, stages);
            case DYNAMIC_BUCKETS -> DynamicBucketTopology.write(rows, stages);
            case CROSS_PARTITION -> CrossPartitionTopology.write(rows, stages, overwrite);
            case POSTPONED -> PostponeTopology.write(rows, stages);
            case POSTPONED_WITH_BUCKETS -> PostponeTopology.writeBuckets(rows, stages);
            case UNAWARE -> AppendTopology.write(rows, stages);
        };
        SingleOutputStreamOperator<Void> committed = aligned(written)
                .transform(
                        "Committer : " + shortName(table),
                        Types.VOID,
                        new CommitterOperatorFactory(new CommitterPlan(
                                table.name(),
                                stages.commitUser(),
                                opener,
                                listeners(table, settings.commit()),
                                streaming,
                                settings.commit().savepointsTagged(),
                                settings.commit().endInputWatermark())))
                .forceNonParallel();
        uids.of("Committer").ifPresent(committed::uid);
        stages.resources().giveToCommitter(committed);
        refuseSpeculation(committed.getTransformation());

        DataStreamSink<Void> end = committed.sinkTo(new DiscardingSink<>()).name("End : " + shortName(table));
        end.setParallelism(1);
        uids.of("End").ifPresent(end::uid);
        return end;
    }

    private static CommitListeners.Opener listeners(StoreTable table, CommitSettings settings) {
        return job -> CommitListeners.open(table, settings, job);
    }

    /** Two attempts of the committer at once could each find the commit missing. */
    static void refuseSpeculation(Transformation<?> committer) {
        ((PhysicalTransformation<?>) committer).setSupportsConcurrentExecutionAttempts(false);
    }

    /**
     * Committables never become part of an unaligned checkpoint's in-flight data: they must reach the committer before
     * the barrier of the checkpoint that commits them.
     */
    private static DataStream<Committable> aligned(DataStream<Committable> written) {
        StreamPartitioner<Committable> toTheOne = new GlobalPartitioner<>();
        toTheOne.disableUnalignedCheckpoints();
        return SinkStages.through(written, toTheOne);
    }

    /** The table without its catalog and database, as dashboards know operators. */
    static String shortName(StoreTable table) {
        String name = table.name();
        int cut = Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'));
        return name.substring(cut + 1);
    }
}
