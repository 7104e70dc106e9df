/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of the metrics that a user sees. */
final class LookupMetricsTest {

    @TempDir
    Path warehouse;

    private final MetricsByName metrics = new MetricsByName();
    private final FailingStorage storage = new FailingStorage();
    private EngineTable table;
    private long now;

    @BeforeEach
    void createTable() throws Exception {
        table = new EngineTable(
                warehouse,
                new Columns()
                        .column("id", DataTypes.INT())
                        .column("v", DataTypes.INT())
                        .option("bucket", "1")
                        .keyed("id"));
        table.write(row(1, 10), row(2, 20), row(3, 30));
    }

    @AfterEach
    void close() throws Exception {
        table.close();
    }

    private LookupSpec spec(Map<String, String> more) throws Exception {
        Configuration options = Configuration.fromMap(more);
        options.setString("lookup.continuous.discovery-interval", "1 h");
        return new LookupSpec(
                table.asSeenThrough(storage, options.toMap()),
                List.of(0, 1),
                List.of(0),
                List.of(),
                LookupSettings.from(options));
    }

    private FunctionContext context() {
        return context(metrics);
    }

    private static FunctionContext context(MetricGroup metrics) {
        return new FunctionContext(null, LookupMetricsTest.class.getClassLoader(), null) {
            @Override
            public MetricGroup getMetricGroup() {
                return metrics;
            }
        };
    }

    @Test
    void countsProbesThatTheRowCacheAnswersAndThatFilesAnswer() throws Exception {
        PaimonLookupFunction function = new PaimonLookupFunction(
                spec(Map.of("lookup.cache-max-memory-size", "1 kb", "lookup.cache.max-rows", "10")));
        function.open(context());
        for (int id : new int[] {1, 2, 9, 1, 1, 9}) {
            function.lookup(GenericRowData.of(id));
        }
        function.lookup(GenericRowData.of((Object) null));
        assertThat(metrics.value("cache.hitCount")).isEqualTo(3);
        assertThat(metrics.value("cache.missCount")).isEqualTo(3);
        assertThat(metrics.value("cache.loadCount")).isEqualTo(3);
        assertThat(metrics.value("cache.numLoadFailures")).isZero();
        // Of the three keys, one of which has no row.
        assertThat(metrics.value("cache.numCachedRecords")).isEqualTo(3);
        assertThat(metrics.value("cache.numCachedBytes")).isPositive();
        function.close();
    }

    @Test
    void aLoadThatFailsIsCounted() throws Exception {
        PaimonLookupFunction function = new PaimonLookupFunction(spec(Map.of("lookup.cache-max-memory-size", "1 kb")));
        function.open(context());
        storage.fail(0, 2);
        assertThatThrownBy(() -> function.lookup(GenericRowData.of(1)))
                .hasMessageStartingWith("Looking up a key in table c.d.t failed twice");
        assertThat(metrics.value("cache.numLoadFailures")).isEqualTo(1);
        assertThat(metrics.value("cache.loadCount")).isZero();
        function.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSubtaskWhoseMetricsAreRefusedLeavesNoViewBehind(boolean async) throws Exception {
        MetricGroup refusing = new MetricsByName() {
            @Override
            public MetricGroup addGroup(String name) {
                if (name.equals("lookupRefresh")) {
                    throw new IllegalStateException("a reporter's failure");
                }
                return super.addGroup(name);
            }
        };
        LookupSpec spec = spec(Map.of());
        UserDefinedFunction function = async ? new PaimonAsyncLookupFunction(spec) : new PaimonLookupFunction(spec);
        assertThatThrownBy(() -> function.open(context(refusing))).hasMessage("a reporter's failure");
        function.close();
        assertThat(LookupProbe.views()).isZero();
    }

    @Test
    void tellsHowLongTheLastLoadTook() throws Exception {
        try (SharedView view = new ViewChoice(spec(Map.of()), warehouse).open(null)) {
            LookupMetrics own = new LookupMetrics(() -> now);
            own.register(context(), view);
            own.timed(() -> {
                now += 7_000_000;
                return List.of();
            });
            assertThat(metrics.value("cache.latestLoadTime")).isEqualTo(7);
        }
    }

    @Test
    void showsTheFollowedSnapshotAndHowFarItIsBehind() throws Exception {
        try (SharedView view = new ViewChoice(spec(Map.of()), warehouse).open(null)) {
            new LookupMetrics(System::nanoTime).register(context(), view);
            assertThat(metrics.value("cache.numCachedRecords")).isEqualTo(3);
            assertThat(metrics.value("lookupRefresh.followedSnapshot")).isEqualTo(1);
            table.insert(4, 40);
            table.insert(5, 50);
            storage.fail(0, 1);
            view.refresher().attempt();
            assertThat(metrics.value("lookupRefresh.followedSnapshot")).isEqualTo(1);
            assertThat(metrics.value("lookupRefresh.lagSnapshots")).isEqualTo(2);
            assertThat(metrics.value("lookupRefresh.numRefreshFailures")).isEqualTo(1);
            view.refresher().attempt();
            assertThat(metrics.value("lookupRefresh.followedSnapshot")).isEqualTo(3);
            assertThat(metrics.value("lookupRefresh.lagSnapshots")).isZero();
            assertThat(metrics.value("lookupRefresh.lagSeconds")).isZero();
            assertThat(metrics.value("lookupRefresh.numRefreshFailures")).isEqualTo(1);
            assertThat(metrics.value("cache.numCachedRecords")).isEqualTo(5);
        }
    }
}
