/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable;
import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookup joins as Flink's planner makes and runs them. */
final class LookupJoinITCase {

    @TempDir
    Path warehouse;

    private EngineTable users;
    private TableEnvironment env;

    @BeforeEach
    @SuppressWarnings("deprecation") // what replaces registerCatalog wants a catalog that options can describe
    void createTables() throws Exception {
        users = new EngineTable(
                warehouse,
                new Columns()
                        .column("id", DataTypes.INT())
                        .column("kind", DataTypes.STRING())
                        .column("name", DataTypes.STRING())
                        .option("bucket", "2")
                        .keyed("id", "kind"));
        users.write(row(1, "a", "Al"), row(1, "b", "Bo"), row(2, "a", "Cy"), row(3, "b", "Di"));
        env = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        env.registerCatalog("dim", new OneTableCatalog(users));
        env.executeSql("CREATE TABLE dim.`default`.users (id INT, kind STRING, name STRING) WITH ('connector'='x')");
        env.executeSql("CREATE VIEW probes AS SELECT x, y, PROCTIME() AS p FROM (VALUES (1, 'a'), (2, 'b'), (3, 'b'),"
                + " (CAST(NULL AS INT), 'a'), (9, 'a')) AS v(x, y)");
    }

    @AfterEach
    void close() throws Exception {
        users.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void joinsByTheWholeKeyWhateverItsOrder(boolean async) throws Exception {
        assertThat(rows(async, "SELECT x, y, name FROM probes JOIN %s ON d.kind = y AND d.id = x"))
                .containsExactlyInAnyOrder(Row.of(1, "a", "Al"), Row.of(3, "b", "Di"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void padsWhatHasNoMatch(boolean async) throws Exception {
        assertThat(rows(async, "SELECT x, y, d.id, name FROM probes LEFT JOIN %s ON d.id = x AND d.kind = y"))
                .containsExactlyInAnyOrder(
                        Row.of(1, "a", 1, "Al"),
                        Row.of(2, "b", null, null),
                        Row.of(3, "b", 3, "Di"),
                        Row.of(null, "a", null, null),
                        Row.of(9, "a", null, null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesAConstantForAKey(boolean async) throws Exception {
        assertThat(rows(async, "SELECT x, name FROM probes JOIN %s ON d.id = x AND d.kind = 'b'"))
                .containsExactlyInAnyOrder(Row.of(1, "Bo"), Row.of(3, "Di"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void joinsByPartOfTheKeyAndByAnotherColumn(boolean async) throws Exception {
        assertThat(rows(async, "SELECT x, name FROM probes JOIN %s ON d.id = x"))
                .containsExactlyInAnyOrder(Row.of(1, "Al"), Row.of(1, "Bo"), Row.of(2, "Cy"), Row.of(3, "Di"));
        assertThat(rows(async, "SELECT x, d.id FROM probes JOIN %s ON d.kind = y AND d.name = 'Cy'"))
                .containsExactlyInAnyOrder(Row.of(1, 2), Row.of(null, 2), Row.of(9, 2));
    }

    private List<Row> rows(boolean async, String query) throws Exception {
        String dimension = "dim.`default`.users /*+ OPTIONS('lookup.async'='" + async
                + "') */ FOR SYSTEM_TIME AS OF probes.p AS d";
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result =
                env.executeSql(String.format(query, dimension)).collect()) {
            result.forEachRemaining(row -> rows.add(Row.of(
                    IntStream.range(0, row.getArity()).mapToObj(row::getField).toArray())));
        }
        return rows;
    }

    /** Declares a table to the planner whose lookup side is the code under test. */
    private static final class OneTableCatalog extends GenericInMemoryCatalog {

        private final EngineTable table;

        OneTableCatalog(EngineTable table) {
            super("dim");
            this.table = table;
        }

        @Override
        public Optional<Factory> getFactory() {
            return Optional.of(new LookupOnlyFactory(table));
        }
    }

    private record LookupOnlyFactory(EngineTable table) implements DynamicTableSourceFactory {

        @Override
        public DynamicTableSource createDynamicTableSource(Context context) {
            Map<String, String> options = context.getCatalogTable().getOptions();
            try {
                return new LookupOnlySource(
                        table.asSeenNow(Map.of("lookup.async", options.getOrDefault("lookup.async", "false"))));
            } catch (Exception e) {
                throw new IllegalStateException("the test table cannot be opened", e);
            }
        }

        @Override
        public String factoryIdentifier() {
            return "x";
        }

        @Override
        public Set<ConfigOption<?>> requiredOptions() {
            return Set.of();
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return Set.of();
        }
    }

    private record LookupOnlySource(StoreTable table) implements LookupTableSource {

        @Override
        public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
            LookupSettings settings = LookupSettings.from(Configuration.fromMap(table.options()));
            return LookupRuntime.provider(table, settings, new int[] {0, 1, 2}, List.of(), context);
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return table.name();
        }
    }
}
