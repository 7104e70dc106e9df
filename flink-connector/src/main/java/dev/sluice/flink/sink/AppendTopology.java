/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.sink.commit.Committable;
import dev.sluice.flink.sink.write.WriterInput;
import dev.sluice.flink.store.WriteLayout;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

/** {@code rows, chained: writers}; any writer takes any row. */
final class AppendTopology {

    private AppendTopology() {}

    static SingleOutputStreamOperator<Committable> write(DataStream<RowData> rows, SinkStages stages) {
        if (stages.settings().parallelism() != null) {
            return stages.writers(rows, WriteLayout.UNAWARE, WriterInput.plain());
        }
        // As the input's, so that rows need no shuffle; and a writer keeps no row, so that they need no copy.
        SingleOutputStreamOperator<Committable> writers =
                stages.writers(SinkStages.lent(rows), WriteLayout.UNAWARE, WriterInput.plain());
        Transformation<?> input = rows.getTransformation();
        writers.getTransformation().setParallelism(input.getParallelism(), input.isParallelismConfigured());
        return writers;
    }
}
