/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.types.RowKind;

/**
 * A stream of inserts, updates and deletes of some keys, in one order, and what a plain map makes of it.
 *
 * @param keys how many there are
 * @param moving whether an update may take a row to another partition
 */
record Changes(int keys, boolean moving) implements Serializable {

    private int id(long index) {
        return (int) (index * 7919 % keys);
    }

    private static boolean deletes(long index) {
        return index % 11 == 3;
    }

    private int part(long index) {
        return moving ? (int) (index / keys % 3) : id(index) % 3;
    }

    RowData row(long index) {
        RowKind kind = deletes(index) ? RowKind.DELETE : index < keys ? RowKind.INSERT : RowKind.UPDATE_AFTER;
        return GenericRowData.ofKind(kind, (long) id(index), part(index), StringData.fromString("v" + index));
    }

    List<String> expected(long count) {
        Map<Integer, String> rows = new HashMap<>();
        for (long index = 0; index < count; index++) {
            if (deletes(index)) {
                rows.remove(id(index));
            } else {
                rows.put(id(index), id(index) + "|" + part(index) + "|v" + index);
            }
        }
        return List.copyOf(rows.values());
    }

    /** From one reader, so that changes of a key keep their order. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    DataStream<RowData> stream(StreamExecutionEnvironment env, String name, long count, RateLimiterStrategy rate) {
        Changes changes = this;
        DataGeneratorSource<RowData> source = new DataGeneratorSource<>(changes::row, count, rate, Rows.TYPE);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "changes")
                .setParallelism(1)
                .uid("changes")
                .map(new Feed.Failing(name))
                .setParallelism(1)
                .uid("feed")
                .returns(Rows.TYPE);
    }
}
