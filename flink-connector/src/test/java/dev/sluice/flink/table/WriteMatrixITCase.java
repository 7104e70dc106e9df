/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.Warehouse;
import dev.sluice.flink.table.WriteModel.Change;
import dev.sluice.flink.table.WriteModel.Merge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merge engines, changelog producers and bucket modes together, each table written by SQL and held against a model. */
final class WriteMatrixITCase {

    @TempDir
    Path folder;

    /** Where a table's rows go. */
    private enum Place {
        FIXED("'bucket'='2'", "id", ""),
        DYNAMIC("'bucket'='-1'", "id", ""),
        POSTPONED("'bucket'='-2'", "id", ""),
        PARTITIONED("'bucket'='2'", "pt, id", " PARTITIONED BY (pt)"),
        DYNAMIC_PARTITIONED("'bucket'='-1','dynamic-bucket.target-row-num'='2'", "pt, id", " PARTITIONED BY (pt)"),
        POSTPONED_PARTITIONED("'bucket'='-2'", "pt, id", " PARTITIONED BY (pt)"),
        CROSS_PARTITION("'bucket'='-1'", "id", " PARTITIONED BY (pt)");

        private final String options;
        private final String key;
        private final String partition;

        Place(String options, String key, String partition) {
            this.options = options;
            this.key = key;
            this.partition = partition;
        }

        boolean postponed() {
            return this == POSTPONED || this == POSTPONED_PARTITIONED;
        }
    }

    /** One table of the matrix. */
    private record Cell(Merge merge, String producer, Place place, String more) {

        String name() {
            return (merge + "_" + producer.replace('-', '_') + "_" + place).toLowerCase(java.util.Locale.ROOT)
                    + (more.isEmpty() ? "" : "_" + Integer.toHexString(more.hashCode()));
        }

        String create() {
            return "CREATE TABLE " + name() + " (id INT, pt STRING, g INT, n INT, s STRING, PRIMARY KEY (" + place.key
                    + ") NOT ENFORCED)" + place.partition + " WITH (" + place.options + ",'changelog-producer'='"
                    + producer + "'" + merge.options() + (more.isEmpty() ? "" : "," + more) + ")";
        }

        /** Rows that change, or rows of a table that only takes inserts. */
        String source() {
            if (!merge.takesDeletes()) {
                return "added";
            }
            return place == Place.CROSS_PARTITION ? "moved" : "changed";
        }
    }

    private static final String DELETION_VECTORS = "'deletion-vectors.enabled'='true'";
    private static final String EVERY_SECOND_COMMIT = "'full-compaction.delta-commits'='2'";
    private static final String LOCAL_MERGE = "'local-merge-buffer-size'='1 mb'";

    private static final List<Cell> CELLS = List.of(
            new Cell(Merge.DEDUPLICATE, "none", Place.FIXED, DELETION_VECTORS),
            new Cell(Merge.DEDUPLICATE, "none", Place.DYNAMIC, ""),
            new Cell(Merge.DEDUPLICATE, "input", Place.DYNAMIC_PARTITIONED, ""),
            new Cell(Merge.DEDUPLICATE, "lookup", Place.CROSS_PARTITION, ""),
            new Cell(Merge.DEDUPLICATE, "none", Place.POSTPONED, ""),
            new Cell(Merge.PARTIAL_UPDATE, "lookup", Place.DYNAMIC, ""),
            new Cell(Merge.PARTIAL_UPDATE, "none", Place.POSTPONED_PARTITIONED, LOCAL_MERGE),
            new Cell(Merge.AGGREGATION, "lookup", Place.PARTITIONED, DELETION_VECTORS),
            new Cell(Merge.AGGREGATION, "none", Place.DYNAMIC_PARTITIONED, LOCAL_MERGE),
            new Cell(Merge.DEDUPLICATE, "full-compaction", Place.PARTITIONED, ""),
            new Cell(Merge.DEDUPLICATE, "full-compaction", Place.CROSS_PARTITION, LOCAL_MERGE),
            new Cell(Merge.PARTIAL_UPDATE, "full-compaction", Place.FIXED, EVERY_SECOND_COMMIT),
            new Cell(Merge.AGGREGATION, "full-compaction", Place.DYNAMIC, ""),
            new Cell(Merge.FIRST_ROW, "lookup", Place.FIXED, ""),
            new Cell(Merge.FIRST_ROW, "none", Place.CROSS_PARTITION, ""));

    /** Those that rows are updated and deleted in by statements, too; each statement is a job. */
    private static final Set<String> CHANGED =
            Set.of("deduplicate_none_dynamic", "deduplicate_none_postponed", "deduplicate_lookup_cross_partition");

    private Warehouse batch() {
        Warehouse batch = new Warehouse(folder);
        batch.env().getConfig().set("parallelism.default", "2");
        batch.env().getConfig().set("table.dml-sync", "true");
        return batch;
    }

    private static TableEnvironment streaming(Path folder) {
        TableEnvironment env = new Warehouse(folder, EnvironmentSettings.inStreamingMode()).env();
        env.getConfig().set("parallelism.default", "2");
        env.getConfig().set("execution.checkpointing.interval", "300 ms");
        env.getConfig().set("execution.checkpointing.unaligned.enabled", "true");
        return env;
    }

    private static void sources(Warehouse warehouse) {
        String columns = " (id INT, pt STRING, g INT, n INT, s STRING";
        String followed = "'continuous.discovery-interval'='50 ms'";
        warehouse.sql("CREATE TABLE added" + columns + ") WITH ('bucket'='1','bucket-key'='id'," + followed + ")");
        for (String name : List.of("changed", "moved")) {
            warehouse.sql("CREATE TABLE " + name + columns + ", PRIMARY KEY (id) NOT ENFORCED)"
                    + " WITH ('bucket'='1','changelog-producer'='input'," + followed + ")");
        }
    }

    private static void feed(Warehouse warehouse, int step) throws Exception {
        for (Map.Entry<String, List<List<Change>>> source : WriteModel.SOURCES.entrySet()) {
            InternalRow[] rows =
                    source.getValue().get(step).stream().map(Change::row).toArray(InternalRow[]::new);
            warehouse.commit(source.getKey(), rows);
        }
    }

    private static List<String> expected(Cell cell, int steps) {
        return WriteModel.rows(
                cell.merge(), WriteModel.SOURCES.get(cell.source()).subList(0, steps));
    }

    @Test
    void streamingInsertsWithCheckpoints() throws Exception {
        Warehouse warehouse = batch();
        sources(warehouse);
        CELLS.forEach(cell -> warehouse.sql(cell.create()));
        TableEnvironment env = streaming(folder);
        StatementSet statements = env.createStatementSet();
        CELLS.forEach(
                cell -> statements.addInsertSql("INSERT INTO " + cell.name() + " SELECT * FROM " + cell.source()));
        feed(warehouse, 0);
        TableResult job = statements.execute();
        try {
            for (int steps = 1; steps <= WriteModel.STEPS; steps++) {
                if (steps > 1) {
                    feed(warehouse, steps - 1);
                }
                for (Cell cell : CELLS) {
                    if (!cell.place().postponed()) {
                        List<String> rows = expected(cell, steps);
                        await(cell.name() + " after step " + steps)
                                .atMost(Duration.ofSeconds(60))
                                .untilAsserted(() -> assertThat(warehouse.stored(cell.name()))
                                        .containsExactlyElementsOf(rows));
                    }
                }
            }
            compactPostponed(warehouse, WriteModel.STEPS);
            changelogs(CELLS.stream()
                    .filter(cell -> !cell.producer().equals("none"))
                    .toList());
        } finally {
            stop(job);
        }
    }

    private static void stop(TableResult job) throws Exception {
        JobClient client = job.getJobClient().orElseThrow();
        CompletableFuture<?> ended = client.getJobExecutionResult();
        client.cancel().get();
        await().until(ended::isDone);
    }

    /** Rows of postponed buckets are seen once a compaction has given them some. */
    private static void compactPostponed(Warehouse warehouse, int steps) throws Exception {
        for (Cell cell : CELLS) {
            if (cell.place().postponed()) {
                List<String> rows = expected(cell, steps);
                await(cell.name()).atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                    warehouse.rows("CALL sys.compact(`table` => 'default." + cell.name() + "')");
                    assertThat(warehouse.stored(cell.name())).containsExactlyElementsOf(rows);
                });
            }
        }
    }

    /** Reads changelogs from their beginning until they have led to the rows of the model, change by change. */
    private void changelogs(List<Cell> cells) throws Exception {
        Map<String, Map<String, String>> tables = new TreeMap<>();
        Map<String, Set<RowKind>> kinds = new TreeMap<>();
        List<String> selects = new ArrayList<>();
        for (Cell cell : cells) {
            tables.put(cell.name(), new TreeMap<>());
            kinds.put(cell.name(), EnumSet.noneOf(RowKind.class));
            selects.add("SELECT '" + cell.name() + "' AS cell, * FROM " + cell.name()
                    + " /*+ OPTIONS('scan.snapshot-id'='1','continuous.discovery-interval'='50 ms') */");
        }
        Set<String> behind = new TreeSet<>(tables.keySet());
        try (CloseableIterator<Row> changes = streaming(folder)
                .executeSql(String.join(" UNION ALL ", selects))
                .collect()) {
            while (!behind.isEmpty()) {
                Row change = changes.next();
                String name = (String) Objects.requireNonNull(change.getField(0));
                kinds.get(name).add(change.getKind());
                follow(name, tables.get(name), change);
                Cell cell = cells.stream()
                        .filter(c -> c.name().equals(name))
                        .findFirst()
                        .orElseThrow();
                if (sorted(tables.get(name)).equals(expected(cell, WriteModel.STEPS))) {
                    behind.remove(name);
                } else {
                    behind.add(name);
                }
            }
        }
        for (Cell cell : cells) {
            Set<RowKind> expected = cell.merge() == Merge.FIRST_ROW
                    ? EnumSet.of(RowKind.INSERT)
                    : cell.merge().takesDeletes()
                            ? EnumSet.allOf(RowKind.class)
                            : EnumSet.of(RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER);
            assertThat(expected).as(cell.name()).containsAll(kinds.get(cell.name()));
        }
    }

    /**
     * Each change must fit what the changes before it have made of its key in its partition; partitions are read at once,
     * so a row that moves may be seen in both for a while.
     */
    private static void follow(String name, Map<String, String> rows, Row change) {
        String key = change.getField(1) + "|" + change.getField(2);
        String text = key + "|" + change.getField(3) + "|" + change.getField(4) + "|" + change.getField(5);
        switch (change.getKind()) {
            case INSERT ->
                assertThat(rows.put(key, text)).as(name + " " + change).isNull();
            case UPDATE_BEFORE ->
                assertThat(rows.get(key)).as(name + " " + change).isEqualTo(text);
            case UPDATE_AFTER ->
                assertThat(rows.put(key, text)).as(name + " " + change).isNotNull();
            case DELETE -> assertThat(rows.remove(key)).as(name + " " + change).isEqualTo(text);
        }
    }

    private static List<String> sorted(Map<String, String> rows) {
        return rows.values().stream().sorted().toList();
    }

    @Test
    void batchInsertsUpdatesAndDeletes() throws Exception {
        Warehouse warehouse = batch();
        CELLS.forEach(cell -> warehouse.sql(cell.create()));
        List<List<Change>> steps = WriteModel.SOURCES.get("added");
        for (int step = 0; step < WriteModel.STEPS; step++) {
            String values =
                    String.join(", ", steps.get(step).stream().map(Change::sql).toList());
            StatementSet statements = warehouse.env().createStatementSet();
            CELLS.forEach(cell -> statements.addInsertSql("INSERT INTO " + cell.name() + " VALUES " + values));
            statements.execute().await();
            for (Cell cell : CELLS) {
                assertThat(warehouse.stored(cell.name()))
                        .as(cell.name() + " after step " + step)
                        .containsExactlyElementsOf(WriteModel.rows(cell.merge(), steps.subList(0, step + 1)));
            }
        }
        for (Cell cell : CELLS) {
            if (CHANGED.contains(cell.name())) {
                warehouse.sql("UPDATE " + cell.name() + " SET n = g + 100, s = 'u' WHERE id = 1");
                warehouse.sql("DELETE FROM " + cell.name() + " WHERE id IN (2, 3)");
                assertThat(warehouse.stored(cell.name()))
                        .as(cell.name())
                        .containsExactly("1|a|3|103|u", "4|b|1|40|w", "5|a|1|50|v");
            }
        }
    }
}
