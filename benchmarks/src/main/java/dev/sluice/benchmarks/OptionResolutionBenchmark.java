/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.resolve.OptionResolver;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The options of one reference to a table in a statement: ten, in three scopes; beside merging them and checking nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class OptionResolutionBenchmark {

    private static final String PREFIX = "paimon.lake.bench.orders.";

    private final Map<String, String> stored = Map.of(
            "bucket", "4",
            "file.format", "parquet",
            "snapshot.num-retained.max", "20",
            "target-file-size", "128 mb");
    private final Map<String, String> session = Map.of(
            "scan.parallelism",
            "2",
            PREFIX + "continuous.discovery-interval",
            "2 s",
            PREFIX + "source.split.target-size",
            "64 mb",
            "pipeline.name",
            "a job",
            "table.exec.resource.default-parallelism",
            "2");
    private final Map<String, String> statement = Map.of(
            "scan.mode", "latest",
            "scan.split-enumerator.batch-size", "20",
            "consumer-id", "reader");
    private final TableFacts table = new TableFacts(
            new TableName("lake", "bench", "orders"), List.of("id", "name"), List.of("id"), List.of(), stored);

    @Benchmark
    public ResolvedOptions checked() {
        return OptionResolver.resolve(table, Map.of(), session, statement, Use.READ);
    }

    @Benchmark
    public Map<String, String> mergedOnly() {
        Map<String, String> merged = new HashMap<>(stored);
        session.forEach(
                (key, value) -> merged.put(key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key, value));
        merged.putAll(statement);
        return merged;
    }
}
