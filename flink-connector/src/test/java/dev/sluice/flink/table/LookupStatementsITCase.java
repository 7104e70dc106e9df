/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.Warehouse;
import dev.sluice.flink.source.SharedCluster;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookup joins in statements as users write them, with the hints that Flink has for them. */
final class LookupStatementsITCase {

    private static final int IDS = 60;

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    static Path folder;

    private static Warehouse warehouse;

    @BeforeAll
    static void createTables() throws Exception {
        Configuration configuration = CLUSTER.statements();
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, 3);
        warehouse = new Warehouse(
                folder,
                EnvironmentSettings.newInstance()
                        .inStreamingMode()
                        .withConfiguration(configuration)
                        .build());
        createUsers("users");
        warehouse.commit(
                "users",
                IntStream.range(0, IDS)
                        .filter(id -> id % 2 == 0)
                        .mapToObj(id -> GenericRow.of(id, text("u" + id)))
                        .toArray(InternalRow[]::new));
        warehouse.sql("CREATE TABLE probes (x INT)");
        warehouse.commit(
                "probes", IntStream.range(0, IDS).mapToObj(GenericRow::of).toArray(InternalRow[]::new));
    }

    private static void createUsers(String name) {
        warehouse.sql(
                "CREATE TABLE " + name + " (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='5')");
    }

    private static BinaryString text(String value) {
        return BinaryString.fromString(value);
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
        assertThat(warehouse.env().explainSql(query)).contains("shuffle=[true]");
        assertThat(warehouse.rows(query))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, IDS)
                        .mapToObj(id -> Row.of(id, id % 2 == 0 ? "u" + id : null))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMissIsTriedAgainUntilTheRowIsThere(boolean async) throws Exception {
        String users = async ? "late_async" : "late";
        createUsers(users);
        warehouse.commit(users, GenericRow.of(2, text("early")));
        String query = "SELECT /*+ LOOKUP('table'='d', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay',"
                + " 'fixed-delay'='50ms', 'max-attempts'='2000') */ x, name FROM (SELECT x, PROCTIME() AS p FROM (VALUES"
                + " (1)) AS v(x)) AS o LEFT JOIN " + users + " /*+ OPTIONS('lookup.async'='" + async
                + "', 'lookup.cache.max-rows'='10', 'lookup.cache-max-memory-size'='1 kb',"
                + " 'lookup.continuous.discovery-interval'='50 ms') */ FOR SYSTEM_TIME AS OF o.p AS d ON d.id = o.x";
        try (CloseableIterator<Row> result = warehouse.env().executeSql(query).collect()) {
            warehouse.commit(users, GenericRow.of(1, text("late")));
            assertThat(result.next()).isEqualTo(Row.of(1, "late"));
        }
    }

    @Test
    void comparesAConstantAndFiltersTheDimension() throws Exception {
        warehouse.sql("CREATE TABLE places (id INT, kind STRING, name STRING, size INT, PRIMARY KEY (id, kind) NOT"
                + " ENFORCED) WITH ('bucket'='2')");
        warehouse.commit(
                "places",
                GenericRow.of(1, text("a"), text("A1"), 5),
                GenericRow.of(1, text("b"), text("B1"), 6),
                GenericRow.of(2, text("b"), text("B2"), 7));
        String query = "SELECT x, d.name FROM (SELECT x, PROCTIME() AS p FROM (VALUES (1), (2), (3)) AS v(x)) AS o JOIN"
                + " places FOR SYSTEM_TIME AS OF o.p AS d ON d.kind = 'b' AND d.id = o.x AND d.size < 7";
        assertThat(warehouse.rows(query)).containsExactly(Row.of(1, "B1"));
    }
}
