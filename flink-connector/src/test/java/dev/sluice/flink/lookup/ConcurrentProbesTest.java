/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataTypes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes while the table changes under the view: each answer is one of the table's states, and none goes back. */
final class ConcurrentProbesTest {

    private static final int KEYS = 50;
    private static final int VERSIONS = 12;

    @TempDir
    Path warehouse;

    /** Key 0 is the primary key, key 1 has the same value; without memory the first is found in files. */
    @ParameterizedTest
    @CsvSource({"0, 1 kb, 1", "0, 1 kb, 30", "0, 100 mb, 1", "1, 100 mb, 1"})
    void answersNeverMissAndNeverGoBack(int keyColumn, String memory, int cachedRows) throws Exception {
        var schema = new Columns()
                .column("id", DataTypes.INT())
                .column("same", DataTypes.INT())
                .column("version", DataTypes.INT())
                .option("bucket", "2")
                .keyed("id");
        try (EngineTable table = new EngineTable(warehouse, schema, Map.of("lookup.cache-max-memory-size", memory))) {
            table.write(version(0));
            LookupSpec spec = new LookupSpec(
                    table.asSeenNow(), List.of(0, 1, 2), List.of(keyColumn), List.of(), settings(cachedRows));
            PaimonAsyncLookupFunction function = new PaimonAsyncLookupFunction(spec);
            function.open(new FunctionContext(null, getClass().getClassLoader(), null));
            AtomicInteger written = new AtomicInteger();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(table, written));
            try {
                int[] seen = new int[KEYS];
                while (!writer.isDone() || seen[0] < VERSIONS || seen[KEYS - 1] < VERSIONS) {
                    probeAll(function, seen);
                    assertThat(Arrays.stream(seen).max().orElseThrow()).isLessThanOrEqualTo(written.get());
                }
                writer.get();
            } finally {
                function.close();
            }
            Awaitility.await()
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().startsWith("lookup ")));
        }
    }

    private static LookupSettings settings(int cachedRows) {
        return LookupSettings.from(new Configuration()
                .set(LookupOptions.ASYNC, true)
                .set(LookupOptions.ASYNC_THREADS, 8)
                .set(LookupOptions.REFRESH_INTERVAL, Duration.ofMillis(5))
                .set(LookupOptions.CACHE_MAX_ROWS, cachedRows));
    }

    private static void probeAll(PaimonAsyncLookupFunction function, int[] seen) throws Exception {
        List<CompletableFuture<Collection<RowData>>> answers = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            answers.add(function.asyncLookup(GenericRowData.of(key)));
        }
        for (int key = 0; key < KEYS; key++) {
            Collection<RowData> rows = answers.get(key).get();
            assertThat(rows).hasSize(1);
            RowData found = rows.iterator().next();
            assertThat(found.getInt(0)).isEqualTo(key);
            assertThat(found.getInt(2)).isGreaterThanOrEqualTo(seen[key]);
            seen[key] = found.getInt(2);
        }
    }

    private static void write(EngineTable table, AtomicInteger written) {
        try {
            for (int version = 1; version <= VERSIONS; version++) {
                // Before the commit: a probe may see it as soon as it is made.
                written.set(version);
                if (version % 3 == 0) {
                    table.writeAndCompact(version(version));
                    table.expireAllButLast();
                } else {
                    table.write(version(version));
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException("writing failed", e);
        }
    }

    private static InternalRow[] version(int version) {
        InternalRow[] rows = new InternalRow[KEYS];
        for (int key = 0; key < KEYS; key++) {
            rows[key] = row(key, key, version);
        }
        return rows;
    }
}
