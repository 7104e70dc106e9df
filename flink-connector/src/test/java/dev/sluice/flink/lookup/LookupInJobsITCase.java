/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.Warehouse;
import dev.sluice.flink.sink.MetricsSeen;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.flink.client.deployment.executors.RemoteExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lookup joins of running jobs share, show and leave behind. */
final class LookupInJobsITCase {

    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    static Path temporary;

    private static final String IN_FILES =
            "'lookup.async'='true', 'lookup.cache-max-memory-size'='1 kb', 'lookup.cache.max-rows'='10'";

    private static MiniCluster cluster;

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
        MetricsSeen.configure(configuration);
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .build());
        cluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void createTables() throws Exception {
        Configuration statements = new Configuration();
        statements.set(DeploymentOptions.TARGET, RemoteExecutor.NAME);
        statements.set(RestOptions.ADDRESS, "localhost");
        statements.set(RestOptions.PORT, cluster.getRestAddress().get().getPort());
        statements.set(CoreOptions.DEFAULT_PARALLELISM, 1);
        warehouse = new Warehouse(
                folder,
                EnvironmentSettings.newInstance()
                        .inStreamingMode()
                        .withConfiguration(statements)
                        .build());
        createUsers();
        warehouse.sql("CREATE TABLE probes (x INT)");
        user("Al");
        probe(1);
    }

    private void createUsers() {
        warehouse.sql("CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='1')");
    }

    private void user(String name) throws Exception {
        warehouse.commit("users", GenericRow.of(1, BinaryString.fromString(name)));
    }

    private void probe(int id) throws Exception {
        warehouse.commit("probes", GenericRow.of(id));
    }

    /** A job that joins what the table of probes gets, by keys looked for in files. */
    private CloseableIterator<Row> join() {
        return join(IN_FILES);
    }

    /** @param how options of the table that is joined */
    private CloseableIterator<Row> join(String how) {
        return warehouse
                .env()
                .executeSql("SELECT x, name FROM (SELECT x, PROCTIME() AS p FROM probes"
                        + " /*+ OPTIONS('continuous.discovery-interval'='20 ms') */) AS o LEFT JOIN users /*+ OPTIONS("
                        + how
                        + ", 'lookup.continuous.discovery-interval'='20 ms') */ FOR SYSTEM_TIME AS OF o.p AS d"
                        + " ON d.id = o.x")
                .collect();
    }

    @Test
    void jobsShareATableAndTheLastLeavesNothingBehind() throws Exception {
        try (CloseableIterator<Row> first = join()) {
            assertThat(first.next()).isEqualTo(Row.of(1, "Al"));
            try (CloseableIterator<Row> second = join()) {
                assertThat(second.next()).isEqualTo(Row.of(1, "Al"));
                assertThat(LookupProbe.views()).isEqualTo(1);
                assertThat(threads())
                        .filteredOn(name -> name.startsWith("lookup refresh"))
                        .hasSize(1);
                assertThat(folders()).hasSize(1);
                first.close();
                await().atMost(LONG)
                        .until(() -> cluster.listJobs().get().stream()
                                        .filter(job -> !job.getJobState().isGloballyTerminalState())
                                        .count()
                                == 1);
                assertThat(LookupProbe.views()).isEqualTo(1);
                // The view was opened by the job that is gone, and goes on.
                user("Ann");
                user("Ada");
                await().atMost(LONG).untilAsserted(() -> {
                    probe(1);
                    assertThat(second.next()).isEqualTo(Row.of(1, "Ada"));
                });
            }
        }
        await().atMost(LONG).untilAsserted(() -> {
            assertThat(LookupProbe.views()).isZero();
            assertThat(threads()).isEmpty();
            assertThat(folders()).isEmpty();
        });
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("lookup "))
                .toList();
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> paths = Files.walk(temporary)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("lookup-"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {IN_FILES, "'lookup.cache'='FULL'"})
    void aJobGoesOnWithWhatATableIsRolledBackTo(String how) throws Exception {
        user("Ann");
        try (CloseableIterator<Row> rows = join(how)) {
            assertThat(rows.next()).isEqualTo(Row.of(1, "Ann"));
            warehouse.sql("CALL sys.rollback_to(`table` => 'default.users', snapshot_id => CAST(1 AS BIGINT))");
            awaitAnswer(rows, "Ann", "Al");
            // Under the number that a snapshot had before the rollback.
            user("Ada");
            awaitAnswer(rows, "Al", "Ada");
        }
    }

    /** Once a probe has the new answer, those behind it have none that is older. */
    private void awaitAnswer(CloseableIterator<Row> rows, String before, String after) {
        List<@Nullable Object> answers = new ArrayList<>();
        await().atMost(LONG).until(() -> {
            probe(1);
            answers.add(rows.next().getField(1));
            return answers.size() > 2 && after.equals(answers.get(answers.size() - 3));
        });
        assertThat(answers.subList(0, answers.size() - 3)).allMatch(before::equals);
        assertThat(answers.subList(answers.size() - 3, answers.size())).allMatch(after::equals);
    }

    @ParameterizedTest
    @ValueSource(strings = {IN_FILES, "'lookup.cache'='FULL'"})
    void aJobFailsOnceItsTableIsDroppedAndTheNextJoinsTheNewOne(String how) throws Exception {
        try (CloseableIterator<Row> rows = join(how)) {
            assertThat(rows.next()).isEqualTo(Row.of(1, "Al"));
            warehouse.sql("DROP TABLE users");
            assertThat(failure(rows))
                    .hasStackTraceContaining("Table p.default.users was dropped while a job was using it. Start the job"
                            + " again, so that it is planned for the table as it is now.");
        }
        createUsers();
        user("Bea");
        try (CloseableIterator<Row> rows = join(how)) {
            assertThat(rows.next()).isEqualTo(Row.of(1, "Bea"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {IN_FILES, "'lookup.cache'='FULL'"})
    void aJobFailsOnceItsTableIsMadeAgain(String how) throws Exception {
        try (CloseableIterator<Row> rows = join(how)) {
            assertThat(rows.next()).isEqualTo(Row.of(1, "Al"));
            warehouse.sql("DROP TABLE users");
            createUsers();
            user("Bea");
            // Whether it sees the table while it is gone is a matter of time.
            assertThat(failure(rows))
                    .satisfies(
                            failure -> assertThat(stackTrace(failure))
                                    .containsPattern(
                                            "Table p\\.default\\.users was dropped (and created again )?while a job was using it"));
        }
        try (CloseableIterator<Row> rows = join(how)) {
            assertThat(rows.next()).isEqualTo(Row.of(1, "Bea"));
        }
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Until the job has noticed, its answers are those of the table it was planned for. */
    private Throwable failure(CloseableIterator<Row> rows) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        await().atMost(LONG).until(() -> {
            probe(1);
            try {
                assertThat(rows.next()).isEqualTo(Row.of(1, "Al"));
                return false;
            } catch (RuntimeException e) {
                failure.set(e);
                return true;
            }
        });
        return failure.get();
    }

    @Test
    void showsItsMetricsUnderTheOperator() throws Exception {
        user("Ann");
        try (CloseableIterator<Row> rows = join()) {
            for (int id : new int[] {1, 9, 9}) {
                rows.next();
                probe(id);
            }
            assertThat(rows.next()).isEqualTo(Row.of(9, null));
            assertThat(metric("cache.hitCount")).isEqualTo(2);
            assertThat(metric("cache.missCount")).isEqualTo(2);
            assertThat(metric("cache.loadCount")).isEqualTo(2);
            assertThat(metric("cache.numLoadFailures")).isZero();
            assertThat(metric("cache.latestLoadTime")).isBetween(0L, LONG.toMillis());
            // A row, and a key that has none.
            assertThat(metric("cache.numCachedRecords")).isEqualTo(2);
            assertThat(metric("cache.numCachedBytes")).isPositive();
            assertThat(metric("lookupRefresh.followedSnapshot")).isEqualTo(2);
            assertThat(metric("lookupRefresh.latestRefreshTime")).isBetween(0L, LONG.toMillis());
            user("Ada");
            await().atMost(LONG).until(() -> metric("lookupRefresh.followedSnapshot") == 3);
            await().atMost(LONG).until(() -> metric("cache.numCachedRecords") == 1);
            assertThat(metric("lookupRefresh.lagSnapshots")).isZero();
            assertThat(metric("lookupRefresh.lagSeconds")).isZero();
            assertThat(metric("lookupRefresh.numRefreshFailures")).isZero();
        }
    }

    private static long metric(String name) {
        return MetricsSeen.sum("LookupJoin", name);
    }
}
