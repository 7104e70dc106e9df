/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.flink.source.FileStoreSourceSplit;
import org.apache.paimon.flink.source.FileStoreSourceSplitGenerator;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The plan of a read of a thousand files, from metadata to splits; beside the engine's plan as the official source takes it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SplitPlanningBenchmark {

    private static final int PARTITIONS = 100;
    private static final int COMMITS = 10;

    private @Nullable FileStoreTable table;
    private @Nullable StoreTable own;

    @Setup
    public void setUp() throws Exception {
        Path folder = new Path(Files.createTempDirectory("planning").toUri());
        new SchemaManager(LocalFileIO.create(), folder)
                .createTable(Schema.newBuilder()
                        .column("id", DataTypes.BIGINT())
                        .column("part", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .partitionKeys("part")
                        .option("write-only", "true")
                        .build());
        FileStoreTable made = FileStoreTableFactory.create(LocalFileIO.create(), folder);
        for (int i = 0; i < COMMITS; i++) {
            commit(made, i);
        }
        table = made;
        own = StoreTable.of("table", made);
        if (sluice().size() != official().size()) {
            throw new IllegalStateException(
                    "The two plan " + sluice().size() + " and " + official().size() + " splits.");
        }
    }

    private static void commit(FileStoreTable table, long number) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            for (int part = 0; part < PARTITIONS; part++) {
                write.write(GenericRow.of(number, part, BinaryString.fromString("row " + number)));
            }
            commit.commit(write.prepareCommit());
        }
    }

    @Benchmark
    public List<Split> sluice() {
        return BoundedPlan.splits(Objects.requireNonNull(own), ReadSpec.everything());
    }

    @Benchmark
    public List<FileStoreSourceSplit> official() {
        return new FileStoreSourceSplitGenerator()
                .createSplits(
                        Objects.requireNonNull(table).newReadBuilder().newScan().plan());
    }
}
