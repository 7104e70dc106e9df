/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.types.Row;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batch statements that write plain data files. */
final class FormatTableWriteITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void open() {
        warehouse = new Warehouse(folder);
        warehouse.env().getConfig().set("parallelism.default", "2");
    }

    /** A file system metastore makes none itself but shows those that another engine put there. */
    private void create(String name, String format, String... partitions) throws Exception {
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.STRING())
                .column("p", DataTypes.STRING())
                .column("q", DataTypes.INT())
                .partitionKeys(partitions)
                .options(Map.of("type", "format-table", "file.format", format, "format-table.file.compression", "none"))
                .build();
        new SchemaManager(
                        LocalFileIO.create(),
                        new org.apache.paimon.fs.Path(
                                warehouse.tableFolder(name).toUri()))
                .createTable(schema);
    }

    private void run(String statement) throws Exception {
        warehouse.env().executeSql(statement).await();
    }

    @Test
    void rowsAreAddedAndPartitionsReplaced() throws Exception {
        create("f", "parquet", "p", "q");
        run("INSERT INTO f VALUES (1, 'a', 'x', 1), (2, 'b', 'x', 2), (3, 'c', 'y', 1)");
        run("INSERT INTO f VALUES (4, 'd', 'y', 1)");
        assertThat(warehouse.rows("SELECT * FROM f"))
                .containsExactlyInAnyOrder(
                        Row.of(1, "a", "x", 1), Row.of(2, "b", "x", 2), Row.of(3, "c", "y", 1), Row.of(4, "d", "y", 1));

        run("INSERT OVERWRITE f VALUES (5, 'e', 'y', 1)");
        assertThat(warehouse.rows("SELECT * FROM f"))
                .containsExactlyInAnyOrder(Row.of(1, "a", "x", 1), Row.of(2, "b", "x", 2), Row.of(5, "e", "y", 1));
        run("INSERT OVERWRITE f PARTITION (p = 'x', q = 2) VALUES (6, 'f')");
        assertThat(warehouse.rows("SELECT * FROM f"))
                .containsExactlyInAnyOrder(Row.of(1, "a", "x", 1), Row.of(6, "f", "x", 2), Row.of(5, "e", "y", 1));
        run("INSERT OVERWRITE f PARTITION (p = 'x') SELECT id, v, q FROM f WHERE id > 9");
        assertThat(warehouse.rows("SELECT * FROM f")).containsExactly(Row.of(5, "e", "y", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json"})
    void rowsAreWrittenAsText(String format) throws Exception {
        create("f", format, "p", "q");
        run("INSERT INTO f VALUES (1, 'a', 'x', 1), (2, 'b', 'x', 1), (3, 'c', 'y', 2)");
        run("INSERT OVERWRITE f PARTITION (p = 'y', q = 2) VALUES (4, 'd')");
        assertThat(linesOf("f"))
                .containsExactlyInAnyOrderElementsOf(
                        format.equals("csv")
                                ? List.of("1,a", "2,b", "4,d")
                                : List.of("{'id':'1','v':'a'}", "{'id':'2','v':'b'}", "{'id':'4','v':'d'}"));
    }

    private List<String> linesOf(String table) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(warehouse.tableFolder(table))) {
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith("data-"))
                    .toList()) {
                Files.readAllLines(file).forEach(line -> lines.add(line.replace('"', '\'')));
            }
        }
        return lines;
    }

    @Test
    void compressionsThatCannotBeWrittenAreRefusedBeforeTheJobStarts() {
        warehouse.env().executeSql("CREATE TABLE a (id INT, v STRING) WITH ('file.format' = 'avro')");
        refused(
                "INSERT INTO a /*+ OPTIONS('file.compression' = 'gzip') */ VALUES (1, 'a')",
                "Table p.default.a has 'file.format' = 'avro' with 'file.compression' = 'gzip', which cannot be written"
                        + " with the classes and libraries at hand");
        refused(
                "INSERT INTO a /*+ OPTIONS('file.compression' = 'gzip') */ VALUES (1, 'a')",
                "These can be: 'bzip2', 'deflate', 'null', 'snappy', 'zstd'. Choose one of them.");
        warehouse.env().executeSql("CREATE TABLE b (id INT) WITH ('file.compression' = 'brotli')");
        refused(
                "INSERT INTO b VALUES (1)",
                "(class org.apache.hadoop.io.compress.BrotliCodec is missing). These can be: ");
    }

    @Test
    void aJobThatFailsShowsNothing() throws Exception {
        create("f", "parquet", "p", "q");
        run("INSERT INTO f VALUES (1, 'a', 'x', 1)");
        assertThatThrownBy(() -> run("INSERT OVERWRITE f SELECT CAST(v AS INT), v, p, q FROM f"))
                .hasStackTraceContaining("NumberFormatException");
        assertThat(warehouse.rows("SELECT id FROM f")).containsExactly(Row.of(1));
    }

    @Test
    void whatItCannotTakeIsRefusedWithAdvice() throws Exception {
        create("f", "parquet", "p", "q");
        refused("INSERT OVERWRITE f PARTITION (q = 1) SELECT 1, 'a', 'x'", "of which the first ones can be given");
        refused(
                "INSERT OVERWRITE f /*+ OPTIONS('dynamic-partition-overwrite'='false') */ VALUES (1, 'a', 'x', 1)",
                "INSERT OVERWRITE of format table p.default.f replaces the partitions that have new rows");
        create("plain", "parquet");
        refused(
                "INSERT INTO plain VALUES (1, 'a', 'x', 1)",
                "has no partitions and its schema files lie among its data");
        refused("TRUNCATE TABLE f", "takes INSERT INTO and INSERT OVERWRITE in batch mode only");
        warehouse = new Warehouse(folder, EnvironmentSettings.inStreamingMode());
        warehouse.env().getConfig().set("execution.checkpointing.interval", "1 s");
        refused("INSERT INTO f VALUES (1, 'a', 'x', 1)", "Run: SET 'execution.runtime-mode' = 'batch';");
    }

    private void refused(String statement, String message) {
        assertThatThrownBy(() -> run(statement)).hasStackTraceContaining(message);
    }
}
