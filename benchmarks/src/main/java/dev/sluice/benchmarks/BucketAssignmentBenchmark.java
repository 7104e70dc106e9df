/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.BucketRouter.Goal;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.paimon.flink.FlinkRowWrapper;
import org.apache.paimon.flink.sink.RowDataChannelComputer;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.apache.paimon.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From a row of Flink's to the writer that its bucket belongs to, as a sink's first operator does. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BucketAssignmentBenchmark {

    private static final int ROWS = 1000;
    private static final int WRITERS = 8;

    private final RowData[] rows = new RowData[ROWS];
    private final FlinkToEngineRow toEngine = new FlinkToEngineRow();
    private @Nullable BucketRouter router;
    private @Nullable RowDataChannelComputer channels;

    /** A table of a BIGINT key, an INT partition and a STRING, in 16 buckets. */
    @Setup
    public void setUp() throws Exception {
        Path folder = new Path(Files.createTempDirectory("buckets").toUri());
        new SchemaManager(LocalFileIO.create(), folder)
                .createTable(Schema.newBuilder()
                        .column("id", DataTypes.BIGINT())
                        .column("part", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .partitionKeys("part")
                        .primaryKey("id", "part")
                        .option("bucket", "16")
                        .build());
        FileStoreTable table = FileStoreTableFactory.create(LocalFileIO.create(), folder);
        router = BucketRouter.by(Goal.BUCKET, StoreTable.of("table", table));
        channels = new RowDataChannelComputer(table.schema());
        channels.setup(WRITERS);
        RowDataSerializer serializer =
                new RowDataSerializer(new BigIntType(), new IntType(), new VarCharType(VarCharType.MAX_LENGTH));
        for (int i = 0; i < ROWS; i++) {
            rows[i] = serializer
                    .toBinaryRow(GenericRowData.of(i * 1_000_003L, i % 7, StringData.fromString("name " + i)))
                    .copy();
        }
        checkBuckets(table.createRowKeyExtractor());
    }

    /** The writers that buckets are spread over may differ, the buckets may not. */
    private void checkBuckets(RowKeyExtractor engine) {
        BucketRouter own = Objects.requireNonNull(router);
        for (RowData row : rows) {
            own.look(toEngine.convert(row));
            engine.setRecord(new FlinkRowWrapper(row));
            if (own.number() != engine.bucket()) {
                throw new IllegalStateException(
                        "Two buckets for " + row + ": " + own.number() + ", " + engine.bucket());
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int sluice() {
        BucketRouter own = Objects.requireNonNull(router);
        int sum = 0;
        for (RowData row : rows) {
            own.look(toEngine.convert(row));
            sum = 31 * sum + BucketRouter.writer(own.partitionHash(), own.number(), WRITERS);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int official() {
        RowDataChannelComputer own = Objects.requireNonNull(channels);
        int sum = 0;
        for (RowData row : rows) {
            sum = 31 * sum + own.channel(new FlinkRowWrapper(row));
        }
        return sum;
    }
}
