/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.FlinkToEngineRow;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.types.DataTypes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to hand one row of a BIGINT, an INT and a STRING over, and to serialize it on the other side. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RowConversionBenchmark {

    private final RowDataSerializer flinkSerializer =
            new RowDataSerializer(new BigIntType(), new IntType(), new VarCharType(VarCharType.MAX_LENGTH));
    private final InternalRowSerializer engineSerializer =
            new InternalRowSerializer(DataTypes.BIGINT(), DataTypes.INT(), DataTypes.STRING());
    private final EngineToFlinkRow toFlink = new EngineToFlinkRow();
    private final FlinkToEngineRow toEngine = new FlinkToEngineRow();

    private final BinaryRowData flinkRow = flinkSerializer
            .toBinaryRow(GenericRowData.of(42L, 7, StringData.fromString("a comment of usual length")))
            .copy();
    private final InternalRow engineRow =
            engineSerializer.toBinaryRow(toEngine.convert(flinkRow)).copy();

    @Benchmark
    public BinaryRowData engineRowToFlinkBinary() {
        RowData row = toFlink.convert(engineRow);
        return flinkSerializer.toBinaryRow(row);
    }

    @Benchmark
    public BinaryRow flinkRowToEngineBinary() {
        InternalRow row = toEngine.convert(flinkRow);
        return engineSerializer.toBinaryRow(row);
    }
}
