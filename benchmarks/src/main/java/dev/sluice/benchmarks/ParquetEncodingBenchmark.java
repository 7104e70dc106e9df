/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.store.parquet.ColumnarParquetFormatFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.format.FileFormatFactory;
import org.apache.paimon.format.FileFormatFactory.FormatContext;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.FormatWriterFactory;
import org.apache.paimon.format.parquet.ParquetFileFormatFactory;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.options.Options;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A row into a Parquet file that goes nowhere, with the engine's writer and with ours; both make the same bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ParquetEncodingBenchmark {

    private static final int ROWS = 200_000;
    private static final int BATCH = 1024;

    private static final RowType TYPE = RowType.of(
            DataTypes.BIGINT(),
            DataTypes.INT(),
            DataTypes.BIGINT(),
            DataTypes.DECIMAL(15, 2),
            DataTypes.DECIMAL(15, 2),
            DataTypes.DATE(),
            DataTypes.STRING(),
            DataTypes.STRING());

    @Param({"engine", "columnar"})
    private String writer = "engine";

    private final List<BinaryRow> rows = new ArrayList<>(ROWS);
    private @Nullable FormatWriterFactory writers;

    @Setup
    public void setUp() {
        FileFormatFactory format =
                writer.equals("engine") ? new ParquetFileFormatFactory() : new ColumnarParquetFormatFactory();
        writers = format.create(new FormatContext(new Options(), BATCH, BATCH)).createWriterFactory(TYPE);
        SplittableRandom random = new SplittableRandom(3);
        InternalRowSerializer serializer = new InternalRowSerializer(TYPE);
        for (int i = 0; i < ROWS; i++) {
            rows.add(serializer
                    .toBinaryRow(GenericRow.of(
                            (long) i / 4,
                            i % 4,
                            random.nextLong(20_000),
                            Decimal.fromUnscaledLong(random.nextLong(50) * 100, 15, 2),
                            Decimal.fromUnscaledLong(random.nextLong(10_000_000), 15, 2),
                            8000 + random.nextInt(2500),
                            BinaryString.fromString("mode " + random.nextInt(7)),
                            BinaryString.fromString("comment " + Long.toHexString(random.nextLong()))))
                    .copy());
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long file() throws IOException {
        CountedBytes out = new CountedBytes();
        try (FormatWriter file = Objects.requireNonNull(writers).create(out, "zstd")) {
            for (BinaryRow row : rows) {
                file.addElement(row);
            }
        }
        return out.getPos();
    }

    private static final class CountedBytes extends PositionOutputStream {

        private long count;

        @Override
        public long getPos() {
            return count;
        }

        @Override
        public void write(int b) {
            count++;
        }

        @Override
        public void write(byte[] b) {
            count += b.length;
        }

        @Override
        public void write(byte[] b, int off, int len) {
            count += len;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
