/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * A scan whose rows the planner knows already.
 *
 * @param name what the source is called in the job
 */
record KnownRows(String name, List<RowData> rows, RowType type) implements DataStreamScanProvider {

    private static final String SOURCE_UID = "paimon-known-rows";

    @Override
    public boolean isBounded() {
        return true;
    }

    @Override
    public DataStream<RowData> produceDataStream(ProviderContext context, StreamExecutionEnvironment env) {
        var stream = env.fromData(rows, InternalTypeInfo.of(type)).name(name).setParallelism(1);
        context.generateUid(SOURCE_UID).ifPresent(stream::uid);
        return stream;
    }
}
