/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookup joins in statements as users write them, with the hints that Flink has for them. */
final class LookupStatementsITCase {

    private static final int IDS = 60;

    @TempDir
    Path warehouse;

    private TableEnvironment batch;
    private TableEnvironment streaming;

    @BeforeEach
    void createTables() throws Exception {
        batch = environment(EnvironmentSettings.inBatchMode());
        streaming = environment(EnvironmentSettings.inStreamingMode());
        batch.executeSql("CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='5')");
        batch.executeSql("CREATE TABLE probes (x INT)");
        insert(
                "users",
                IntStream.range(0, IDS).filter(id -> id % 2 == 0).mapToObj(id -> "(" + id + ", 'u" + id + "')"));
        insert("probes", IntStream.range(0, IDS).mapToObj(id -> "(" + id + ")"));
    }

    private TableEnvironment environment(EnvironmentSettings settings) {
        TableEnvironment env = TableEnvironment.create(settings);
        env.getConfig().set("parallelism.default", "3");
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + warehouse.toUri() + "')");
        env.executeSql("USE CATALOG p");
        return env;
    }

    private void insert(String table, Stream<String> rows) throws Exception {
        batch.executeSql("INSERT INTO " + table + " VALUES " + rows.collect(Collectors.joining(",")))
                .await();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'lookup.cache'='AUTO'",
                "'lookup.cache'='FULL'",
                "'lookup.async'='true'",
                "'lookup.cache-max-memory-size'='1 kb'"
            })
    void findsAllThatIsThereWithProbesSentToTheirBuckets(String option) throws Exception {
        String query =
                "SELECT /*+ LOOKUP('table'='d', 'shuffle'='true') */ x, name FROM (SELECT x, PROCTIME() AS p FROM"
                        + " probes /*+ OPTIONS('scan.bounded'='true') */) AS o LEFT JOIN users /*+ OPTIONS(" + option
                        + ") */ FOR SYSTEM_TIME AS OF o.p AS d ON d.id = o.x";
        assertThat(streaming.explainSql(query)).contains("shuffle=[true]");
        assertThat(rows(streaming, query))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, IDS)
                        .mapToObj(id -> Row.of(id, id % 2 == 0 ? "u" + id : null))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMissIsTriedAgainUntilTheRowIsThere(boolean async) throws Exception {
        String query = "SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay',"
                + " 'fixed-delay'='50ms', 'max-attempts'='2000') */ x, name FROM (SELECT x, PROCTIME() AS p FROM (VALUES"
                + " (1)) AS v(x)) AS o LEFT JOIN users /*+ OPTIONS('lookup.async'='" + async
                + "', 'lookup.cache.max-rows'='10', 'lookup.cache-max-memory-size'='1 kb',"
                + " 'lookup.continuous.discovery-interval'='50 ms') */ FOR SYSTEM_TIME AS OF o.p AS d ON d.id = o.x";
        try (CloseableIterator<Row> result = streaming.executeSql(query).collect()) {
            insert("users", Stream.of("(1, 'late')"));
            assertThat(result.next()).isEqualTo(Row.of(1, "late"));
        }
    }

    @Test
    void comparesAConstantAndFiltersTheDimension() throws Exception {
        batch.executeSql("CREATE TABLE places (id INT, kind STRING, name STRING, size INT, PRIMARY KEY (id, kind) NOT"
                + " ENFORCED) WITH ('bucket'='2')");
        insert("places", Stream.of("(1, 'a', 'A1', 5)", "(1, 'b', 'B1', 6)", "(2, 'b', 'B2', 7)"));
        String query = "SELECT x, d.name FROM (SELECT x, PROCTIME() AS p FROM (VALUES (1), (2), (3)) AS v(x)) AS o JOIN"
                + " places FOR SYSTEM_TIME AS OF o.p AS d ON d.kind = 'b' AND d.id = o.x AND d.size < 7";
        assertThat(rows(streaming, query)).containsExactly(Row.of(1, "B1"));
    }

    private static List<Row> rows(TableEnvironment env, String query) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(query).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }
}
