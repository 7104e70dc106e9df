/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.Warehouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many files of each partition four writers make of 400 rows. */
final class PartitionSinkStrategyITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void open() {
        warehouse = new Warehouse(folder);
        warehouse.sql(
                "CREATE TEMPORARY TABLE numbers (n BIGINT) WITH ('connector'='datagen','fields.n.kind'='sequence',"
                        + "'fields.n.start'='0','fields.n.end'='399','number-of-rows'='400','scan.parallelism'='1')");
    }

    private Map<String, Long> filesAfterWriting(String table, String hint) throws Exception {
        warehouse
                .env()
                .executeSql("INSERT INTO " + table + " /*+ OPTIONS('sink.parallelism'='4'" + hint + ") */"
                        + " SELECT n, CAST(MOD(n / 4, 3) AS INT) FROM numbers")
                .await();
        try (Stream<Path> files = Files.walk(folder.resolve("default.db").resolve(table))) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-"))
                    .collect(Collectors.groupingBy(PartitionSinkStrategyITCase::partition, Collectors.counting()));
        }
    }

    private static String partition(Path file) {
        for (Path part : file) {
            if (part.toString().startsWith("p=")) {
                return part.toString();
            }
        }
        throw new IllegalStateException(file + " is in no partition");
    }

    private void clear(String table) throws IOException {
        warehouse.sql("DROP TABLE " + table);
    }

    @Test
    void rowsOfAnAppendTableMeetInOneWriterAPartition() throws Exception {
        String create = "CREATE TABLE t (n BIGINT, p INT) PARTITIONED BY (p)";
        warehouse.sql(create);
        assertThat(filesAfterWriting("t", ""))
                .containsOnly(Map.entry("p=0", 4L), Map.entry("p=1", 4L), Map.entry("p=2", 4L));
        clear("t");
        warehouse.sql(create + " WITH ('partition.sink-strategy'='hash')");
        assertThat(filesAfterWriting("t", ""))
                .containsOnly(Map.entry("p=0", 1L), Map.entry("p=1", 1L), Map.entry("p=2", 1L));
        assertThat(warehouse.stored("t")).hasSize(400).doesNotHaveDuplicates();
        clear("t");
        warehouse.sql(create);
        assertThat(filesAfterWriting("t", ",'partition.sink-strategy'='partition_dynamic'"))
                .as("few rows need no second writer")
                .containsOnly(Map.entry("p=0", 1L), Map.entry("p=1", 1L), Map.entry("p=2", 1L));
        assertThat(warehouse.stored("t")).hasSize(400).doesNotHaveDuplicates();
    }

    @Test
    void soDoThoseOfPostponedBuckets() throws Exception {
        String create = "CREATE TABLE k (n BIGINT, p INT, PRIMARY KEY (n, p) NOT ENFORCED) PARTITIONED BY (p) WITH"
                + " ('bucket'='-2','postpone.batch-write-fixed-bucket'='false'";
        warehouse.sql(create + ")");
        assertThat(filesAfterWriting("k", ""))
                .containsOnly(Map.entry("p=0", 4L), Map.entry("p=1", 4L), Map.entry("p=2", 4L));
        clear("k");
        warehouse.sql(create + ",'partition.sink-strategy'='hash')");
        assertThat(filesAfterWriting("k", ""))
                .containsOnly(Map.entry("p=0", 1L), Map.entry("p=1", 1L), Map.entry("p=2", 1L));
        warehouse.env().getConfig().set("table.dml-sync", "true");
        warehouse.rows("CALL sys.compact('default.k')");
        assertThat(warehouse.stored("k")).hasSize(400).doesNotHaveDuplicates();
    }
}
