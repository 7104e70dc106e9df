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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    private static final String LOCAL_MERGE = "'local-merge-buffer-size'='1 mb'";

    private static final List<Cell> CELLS = List.of(
            new Cell(Merge.DEDUPLICATE, "none", Place.FIXED, ""),
            new Cell(Merge.DEDUPLICATE, "none", Place.DYNAMIC, DELETION_VECTORS),
            new Cell(Merge.DEDUPLICATE, "input", Place.DYNAMIC_PARTITIONED, ""),
            new Cell(Merge.DEDUPLICATE, "lookup", Place.CROSS_PARTITION, ""),
            new Cell(Merge.DEDUPLICATE, "none", Place.POSTPONED, ""),
            new Cell(Merge.PARTIAL_UPDATE, "lookup", Place.DYNAMIC, ""),
            new Cell(Merge.PARTIAL_UPDATE, "none", Place.POSTPONED_PARTITIONED, ""),
            new Cell(Merge.AGGREGATION, "lookup", Place.PARTITIONED, DELETION_VECTORS),
            new Cell(Merge.AGGREGATION, "none", Place.DYNAMIC_PARTITIONED, ""),
            new Cell(Merge.FIRST_ROW, "lookup", Place.FIXED, ""),
            new Cell(Merge.FIRST_ROW, "none", Place.CROSS_PARTITION, ""));

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
            InternalRow[] rows = source.getValue().get(step).stream().map(Change::row).toArray(InternalRow[]::new);
            warehouse.commit(source.getKey(), rows);
        }
    }

    private static List<String> expected(Cell cell, int steps) {
        return WriteModel.rows(cell.merge(), WriteModel.SOURCES.get(cell.source()).subList(0, steps));
    }

    @Test
    void streamingInsertsWithCheckpoints() throws Exception {
        Warehouse warehouse = batch();
        sources(warehouse);
        CELLS.forEach(cell -> warehouse.sql(cell.create()));
        TableEnvironment env = streaming(folder);
        StatementSet statements = env.createStatementSet();
        CELLS.forEach(cell -> statements.addInsertSql("INSERT INTO " + cell.name() + " SELECT * FROM " + cell.source()));
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
        } finally {
            job.getJobClient().orElseThrow().cancel().get();
        }
    }
}
