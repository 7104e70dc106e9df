/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an asynchronous lookup does while storage keeps it waiting. */
final class AsyncProbesTest {

    private static final int THREADS = 3;
    private static final int FILES = 5;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Map<String, String> OPTIONS = Map.of(
            "lookup.async-thread-number", Integer.toString(THREADS),
            "lookup.cache-max-memory-size", "1 kb",
            "lookup.cache.max-rows", "10",
            "lookup.continuous.discovery-interval", "1 h");

    @TempDir
    Path warehouse;

    private final FailingStorage storage = new FailingStorage();
    private EngineTable table;
    private PaimonAsyncLookupFunction function;

    @BeforeEach
    void open() throws Exception {
        table = new EngineTable(
                warehouse,
                new Columns()
                        .column("p", DataTypes.INT())
                        .column("id", DataTypes.INT())
                        .column("v", DataTypes.STRING())
                        .option("bucket", "1")
                        .partitionedBy("p")
                        .keyed("p", "id"));
        // Each partition has a file of its own, together more than there is memory for.
        for (int p = 0; p < FILES; p++) {
            table.write(row(p, 0, "x".repeat(1000)));
        }
        function = new PaimonAsyncLookupFunction(new LookupSpec(
                table.asSeenThrough(storage, OPTIONS),
                List.of(0, 1, 2),
                List.of(0, 1),
                List.of(),
                LookupSettings.from(Configuration.fromMap(OPTIONS))));
        function.open(new FunctionContext(null, AsyncProbesTest.class.getClassLoader(), null));
    }

    @AfterEach
    void close() throws Exception {
        storage.letGo();
        function.close();
        table.close();
    }

    private CompletableFuture<Collection<RowData>> probe(int p) {
        return function.asyncLookup(GenericRowData.of(p, 0));
    }

    @Test
    void asManyProbesAsTheOptionSaysWaitForStorageAtOnceAndHitsWaitForNone() throws Exception {
        probe(0).get();
        storage.hold();
        List<CompletableFuture<Collection<RowData>>> misses = new ArrayList<>();
        for (int p = 1; p < FILES; p++) {
            misses.add(probe(p));
        }
        await().atMost(LONG).until(() -> storage.waiting() == THREADS);
        CompletableFuture<Collection<RowData>> hit = probe(0);
        assertThat(hit).as("answered on the caller's thread").isDone();
        assertThat(hit.get()).hasSize(1);
        assertThat(misses).noneMatch(CompletableFuture::isDone);
        storage.letGo();
        for (CompletableFuture<Collection<RowData>> miss : misses) {
            assertThat(miss.get(LONG.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @Test
    void closingWaitsForNoProbeAndLeavesNothing() throws Exception {
        storage.hold();
        List<CompletableFuture<Collection<RowData>>> probes = new ArrayList<>();
        for (int p = 0; p < FILES; p++) {
            probes.add(probe(p));
        }
        await().atMost(LONG).until(() -> storage.waiting() == THREADS);
        assertThat(probes).noneMatch(CompletableFuture::isDone);
        function.close();
        assertThat(storage.waiting()).isEqualTo(THREADS);
        assertThat(LookupProbe.views()).isZero();
        storage.letGo();
        await().atMost(LONG)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("lookup ")));
    }
}
