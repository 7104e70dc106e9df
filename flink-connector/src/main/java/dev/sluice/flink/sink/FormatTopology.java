/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.sink.format.FormatOperatorFactory;
import dev.sluice.flink.store.FormatFiles;
import dev.sluice.flink.store.StoreTable;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** {@code rows → writers → committer} of a batch job and a table of plain data files. */
final class FormatTopology {

    private FormatTopology() {}

    /** @param overwrite the partition to replace, empty for those of the rows, or null to add to the table */
    static DataStreamSink<?> attach(
            DataStream<RowData> rows,
            StoreTable table,
            WriteSettings settings,
            @Nullable Map<String, String> overwrite,
            OperatorUids uids) {
        FormatFiles.check(table, overwrite);
        SinkStages stages = new SinkStages(table, settings, false, overwrite != null, "", uids);
        SingleOutputStreamOperator<byte[]> writers = stages.named(
                rows.transform(
                        "Writer",
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                        FormatOperatorFactory.writer(table)),
                "Writer");
        Integer parallelism = settings.parallelism();
        if (parallelism != null) {
            writers.setParallelism(parallelism);
        }
        stages.resources().shareSlotsOfWriters(writers);
        SingleOutputStreamOperator<Void> committed = stages.named(
                writers.global()
                        .transform("Committer", Types.VOID, FormatOperatorFactory.committer(table, overwrite))
                        .forceNonParallel(),
                "Committer");
        stages.resources().giveToCommitter(committed);
        SinkTopology.refuseSpeculation(committed.getTransformation());
        DataStreamSink<Void> end =
                committed.sinkTo(new DiscardingSink<>()).name("End : " + SinkTopology.shortName(table));
        end.setParallelism(1);
        uids.of("End").ifPresent(end::uid);
        return end;
    }
}
