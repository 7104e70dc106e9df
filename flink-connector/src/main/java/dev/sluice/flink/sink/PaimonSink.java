/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.SnapshotCommitter;
import dev.sluice.flink.store.StoreTable;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** Attaches writers and a committer to a stream of rows. Used on the thread that builds the job. */
public final class PaimonSink {

    private PaimonSink() {}

    /**
     * Adds rows to a table (with a primary key: by their row kinds).
     *
     * @param input rows whose fields are the table's columns in the table's order
     * @param streaming whether rows become visible with each checkpoint rather than all together at the end of the input
     * @throws org.apache.flink.table.api.ValidationException if the table or the job's checkpointing does not allow it
     */
    public static DataStreamSink<?> append(
            DataStream<RowData> input, StoreTable table, WriteSettings settings, boolean streaming) {
        CheckpointingRules.checkMode(table, input.getExecutionEnvironment(), streaming);
        return append(input, table, settings, streaming, OperatorUids.of(table, settings));
    }

    /** As the other one, for a caller that names the operators' uids. */
    public static DataStreamSink<?> append(
            DataStream<RowData> input, StoreTable table, WriteSettings settings, boolean streaming, OperatorUids uids) {
        return new SinkTopology(table, settings, streaming, null, opener(table, settings, null), uids).attachTo(input);
    }

    /**
     * Replaces rows of a table by those of a bounded stream, in one snapshot.
     *
     * @param partition column to value: the partition to replace. If it is empty, all of the table is replaced; or, if
     *     the table is partitioned and {@code dynamic-partition-overwrite} is on, the partitions that have new rows
     * @throws org.apache.flink.table.api.ValidationException if the table does not allow it
     */
    public static DataStreamSink<?> overwrite(
            DataStream<RowData> input,
            StoreTable table,
            WriteSettings settings,
            Map<String, String> partition,
            OperatorUids uids) {
        Map<String, String> replaced = Map.copyOf(partition);
        return new SinkTopology(table, settings, false, replaced, opener(table, settings, replaced), uids)
                .attachTo(input);
    }

    private static Committer.Opener opener(
            StoreTable table, WriteSettings settings, @Nullable Map<String, String> overwrite) {
        return commitUser -> SnapshotCommitter.open(table, commitUser, overwrite, settings.commit());
    }
}
