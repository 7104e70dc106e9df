/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.source.SharedCluster;
import dev.sluice.flink.source.TestTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random queries of random tables, answered with everything pushed into the scan, by Flink alone over all rows, and by a
 * model. Set the system property {@code seed} to repeat a run, {@code tables} for a longer one.
 */
final class DifferentialITCase {

    private static final Logger LOG = LoggerFactory.getLogger(DifferentialITCase.class);

    private static final int QUERIES = 8;

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir
    Path folder;

    @Test
    void pushedDownOrNotTheAnswerIsThatOfTheModel() throws Exception {
        long first = Long.getLong("seed", new Random().nextLong());
        int count = Integer.getInteger("tables", 3);
        LOG.info("First seed {}", first);
        try (TestTables tables = new TestTables(folder)) {
            TableEnvironment env = TableEnvironment.create(EnvironmentSettings.newInstance()
                    .inBatchMode()
                    .withConfiguration(CLUSTER.statements())
                    .build());
            env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + folder.toUri() + "')");
            env.executeSql("USE CATALOG p");
            env.executeSql("USE db");
            for (int i = 0; i < count; i++) {
                long seed = first + i;
                try {
                    check(new RandomTable("t" + i, new Random(seed), tables, env), new Random(seed), env);
                } catch (AssertionError | Exception e) {
                    throw new AssertionError("Fails with -Dseed=" + seed + " -Dtables=1", e);
                }
            }
        }
    }

    private static void check(RandomTable table, Random random, TableEnvironment env) throws Exception {
        int snapshots = 1 + random.nextInt(4);
        for (int i = 0; i < snapshots; i++) {
            if (i > 0 && random.nextInt(2) == 0) {
                table.alter();
            }
            table.write();
        }
        List<RandomCondition> conditions = new ArrayList<>();
        List<String> projections = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            conditions.add(RandomCondition.of(table, random, 2));
            projections.add(projection(table, random));
        }

        checkRows(table, env, conditions, projections);
        checkCounts(table, env, conditions, random);
    }

    /** Fields inside rows too. */
    private static String projection(RandomTable table, Random random) {
        List<String> texts = new ArrayList<>(List.of("CAST(id AS STRING)"));
        for (RandomTable.Column column : table.columns()) {
            if (random.nextBoolean()) {
                String name = "`" + column.name() + "`";
                if (!column.sql().equals("ROW")) {
                    texts.add("COALESCE(CAST(" + name + " AS STRING), '-')");
                } else if (random.nextInt(3) > 0) {
                    texts.add("COALESCE(t.r." + (random.nextBoolean() ? "y" : "y || 'z'") + ", '-')");
                    texts.add("COALESCE(CAST(t.r.x AS STRING), '-')");
                } else {
                    texts.add("COALESCE(CAST(r AS STRING), '-')");
                }
            }
        }
        return String.join(" || ',' || ", texts);
    }

    private static void checkRows(
            RandomTable table, TableEnvironment env, List<RandomCondition> conditions, List<String> projections)
            throws Exception {
        List<Row> all = collect(env, "SELECT * FROM " + table.name);
        env.createTemporaryView(
                "everything",
                env.fromValues(env.from(table.name).getResolvedSchema().toPhysicalRowDataType(), all));
        List<String> pushed = collect(env, queries(table.name, conditions, projections)).stream()
                .map(Row::toString)
                .sorted()
                .toList();
        List<String> alone = all.isEmpty()
                ? List.of()
                : collect(env, queries("everything", conditions, projections)).stream()
                        .map(Row::toString)
                        .sorted()
                        .toList();
        env.dropTemporaryView("everything");

        assertThat(pushed).as("%s: %s", table, conditions).isEqualTo(alone);
        List<String> model = new ArrayList<>();
        for (int q = 0; q < QUERIES; q++) {
            for (Object[] row : matching(table, conditions.get(q))) {
                model.add(q + " " + row[0]);
            }
        }
        assertThat(pushed.stream()
                        .map(text -> text.replaceAll("^\\+I\\[(\\d+), (\\d+).*", "$1 $2"))
                        .toList())
                .as("%s: %s", table, conditions)
                .containsExactlyInAnyOrderElementsOf(model);
    }

    private static String queries(String from, List<RandomCondition> conditions, List<String> projections) {
        return IntStream.range(0, QUERIES)
                .mapToObj(q -> "SELECT " + q + ", " + projections.get(q) + " FROM " + from + " AS t WHERE "
                        + conditions.get(q).sql())
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static List<Object[]> matching(RandomTable table, RandomCondition condition) {
        return table.rows().stream()
                .filter(row -> Boolean.TRUE.equals(condition.holds().apply(row)))
                .toList();
    }

    private static void checkCounts(
            RandomTable table, TableEnvironment env, List<RandomCondition> conditions, Random random) throws Exception {
        String hint = " /*+ OPTIONS('scan.aggregate-push-down'='true') */";
        int i = table.index("i");
        List<String> expected = new ArrayList<>();
        expected.add(figures("all", table.rows(), i));
        TreeMap<String, List<Object[]>> groups = new TreeMap<>();
        table.rows()
                .forEach(row -> groups.computeIfAbsent(row[1].toString(), p -> new ArrayList<>())
                        .add(row));
        groups.forEach((p, rows) -> expected.add(figures(p, rows, i)));
        List<Object[]> filtered = matching(table, conditions.get(0));
        expected.add(figures("where", filtered, i));
        int limit = 1 + random.nextInt(10);
        expected.add("limit " + Math.min(limit, filtered.size()));
        String figures = " || CAST(COUNT(*) AS STRING) || ' ' || CAST(COUNT(i) AS STRING) || ' ' ||"
                + " COALESCE(CAST(MIN(i) AS STRING), '-') || ' ' || COALESCE(CAST(MAX(i) AS STRING), '-')";
        String where =
                " FROM " + table.name + " AS t WHERE " + conditions.get(0).sql();

        List<Row> answers = collect(
                env,
                "SELECT 'all '" + figures + " FROM " + table.name + hint
                        + " UNION ALL SELECT p || ' '" + figures + " FROM " + table.name + hint + " GROUP BY p"
                        + " UNION ALL SELECT 'where '" + figures + where
                        + " UNION ALL SELECT 'limit ' || CAST(COUNT(*) AS STRING) FROM (SELECT id" + where + " LIMIT "
                        + limit + ")");

        assertThat(answers.stream().map(row -> (String) row.getField(0)))
                .as("%s: %s", table, conditions.get(0))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String figures(String name, Collection<Object[]> rows, int i) {
        List<Long> values = rows.stream()
                .filter(row -> row[i] != null)
                .map(row -> ((Number) row[i]).longValue())
                .sorted()
                .toList();
        return name + " " + rows.size() + " " + values.size() + " "
                + (values.isEmpty() ? "- -" : values.get(0) + " " + values.get(values.size() - 1));
    }

    private static List<Row> collect(TableEnvironment env, String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }
}
