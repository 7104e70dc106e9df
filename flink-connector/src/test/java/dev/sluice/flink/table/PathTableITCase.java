/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables declared with {@code 'connector'='paimon'} and a path. */
final class PathTableITCase {

    private static final Schema KEYED = Schema.newBuilder()
            .column("id", DataTypes.BIGINT().notNull())
            .column("v", DataTypes.STRING())
            .primaryKey("id")
            .build();

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("t");
    }

    @Test
    void aTableThatACatalogMadeOpensByItsPath() {
        Warehouse warehouse = new Warehouse(folder);
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        path = warehouse.tableFolder("t");
        StoreTable opened = open(KEYED, Map.of("sink.parallelism", "3"));
        assertThat(opened.name()).isEqualTo(path.toString());
        assertThat(opened.kind()).isEqualTo(StoreTable.Kind.PRIMARY_KEY);
        assertThat(opened.options()).containsEntry("bucket", "2").containsEntry("sink.parallelism", "3");
        assertThatThrownBy(() -> open(KEYED, Map.of("bucket", "4")))
                .hasMessageContaining(
                        "'bucket' = '4' (WITH clause or hint of the table): it defines the table, which has '2'");
    }

    @Test
    void withoutATableThereAutoCreateIsNamedAndNothingIsMade() {
        assertThatThrownBy(() -> open(KEYED, Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("There is no Paimon table at " + path)
                .hasMessageContaining("p.default.declared")
                .hasMessageContaining("'auto-create'='true'");
        assertThat(path).doesNotExist();
    }

    @Test
    void withoutAPathTheOptionIsNamed() {
        CatalogTable declared = CatalogTable.newBuilder()
                .schema(KEYED)
                .options(Map.of("connector", "paimon"))
                .build();
        assertThatThrownBy(() ->
                        new TableOpener(null, Map.of()).open(Contexts.of("declared", declared, Map.of()), Use.READ))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table p.default.declared has no option 'path'");
    }

    @Test
    void autoCreateStoresTheColumnsAndOnlyOptionsOfTheTable() throws Exception {
        StoreTable opened = open(
                KEYED,
                Map.of("auto-create", "true", "bucket", "3", "s3.secret-key", "hush", "s3.endpoint", "http://here"));
        assertThat(opened.primaryKeys()).containsExactly("id");
        String schema = Files.readString(path.resolve("schema/schema-0"));
        assertThat(schema)
                .contains("\"bucket\" : \"3\"")
                .doesNotContain("hush")
                .doesNotContain("s3.")
                .doesNotContain("connector")
                .doesNotContain("auto-create");
        assertThat(open(KEYED, Map.of("auto-create", "true", "bucket", "3")).options())
                .containsEntry("bucket", "3");
        assertThat(filesUnder(path)).containsExactly("schema/schema-0");
    }

    @Test
    void autoCreateFromManyStatementsAtOnceMakesOneTable() throws Exception {
        int statements = 8;
        CyclicBarrier start = new CyclicBarrier(statements);
        ExecutorService threads = Executors.newFixedThreadPool(statements);
        try {
            Callable<StoreTable> statement = () -> {
                start.await();
                return open(KEYED, Map.of("auto-create", "true", "bucket", "3"));
            };
            List<Future<StoreTable>> opened = threads.invokeAll(
                    IntStream.range(0, statements).mapToObj(i -> statement).toList());
            for (Future<StoreTable> table : opened) {
                assertThat(table.get().primaryKeys()).containsExactly("id");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(filesUnder(path)).containsExactly("schema/schema-0");
    }

    @Test
    void aTableThatTheEngineRefusesIsNotLeftHalfMade() throws Exception {
        assertThatThrownBy(() -> open(KEYED, Map.of("auto-create", "true", "bucket", "none")))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining(
                        "Table p.default.declared, option 'bucket' = 'none' (CREATE TABLE): the value is not"
                                + " accepted; accepted is -2 (postponed)");
        assertThat(filesUnder(path)).isEmpty();

        Files.writeString(folder.resolve("file"), "x");
        path = folder.resolve("file");
        assertThatThrownBy(() -> open(KEYED, Map.of("auto-create", "true")))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining(path.toString());
        assertThat(path).hasContent("x");
    }

    @Test
    void columnsThatDifferAreAllNamedWithBothTypes() {
        open(KEYED, Map.of("auto-create", "true", "bucket", "3"));
        Schema other = Schema.newBuilder()
                .column("id", DataTypes.STRING())
                .column("w", DataTypes.INT())
                .build();
        assertThatThrownBy(() -> open(other, Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table " + path + " is declared differently from how it is stored")
                .hasMessageContaining("column 'id' STRING but stored as BIGINT NOT NULL")
                .hasMessageContaining("column 'w' INT is declared but not stored")
                .hasMessageContaining("column 'v' STRING is stored but not declared")
                .hasMessageContaining("the primary key is declared as none but stored as (id)");
    }

    @Test
    void columnsInAnotherOrderAreRefused() {
        open(KEYED, Map.of("auto-create", "true", "bucket", "3"));
        Schema turned = Schema.newBuilder()
                .column("v", DataTypes.STRING())
                .column("id", DataTypes.BIGINT().notNull())
                .primaryKey("id")
                .build();
        assertThatThrownBy(() -> open(turned, Map.of()))
                .hasMessageContaining("in the order (v, id) but stored in the order (id, v)");
    }

    @Test
    void commentsInsideRowsMakeNoDifference() {
        Schema commented = row(DataTypes.FIELD("a", DataTypes.INT(), "what a is"));
        open(commented, Map.of("auto-create", "true"));
        assertThat(open(row(DataTypes.FIELD("a", DataTypes.INT())), Map.of()).kind())
                .isEqualTo(StoreTable.Kind.APPEND);
        assertThatThrownBy(() -> open(row(DataTypes.FIELD("a", DataTypes.BIGINT())), Map.of()))
                .hasMessageContaining("column 'r' ROW<`a` BIGINT> but stored as ROW<`a` INT");
    }

    @Test
    void aDamagedSchemaFileIsNamed() throws Exception {
        open(KEYED, Map.of("auto-create", "true"));
        Path schema = path.resolve("schema/schema-0");
        Files.writeString(schema, Files.readString(schema).substring(0, 30));
        assertThatThrownBy(() -> open(KEYED, Map.of("auto-create", "true")))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("Table " + path)
                .hasMessageContaining("its schema file")
                .hasMessageContaining("schema/schema-0 cannot be read")
                .hasMessageContaining("Restore that file");
    }

    @Test
    void aBranchThatIsNotThereIsNamed() {
        open(KEYED, Map.of("auto-create", "true"));
        assertThatThrownBy(() -> open(KEYED, Map.of("auto-create", "true", "branch", "x")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("has no branch 'x' (option 'branch')");
    }

    @Test
    void aPathOnAFileSystemThatIsNotInstalledIsRefusedWithoutItsSecrets() {
        CatalogTable declared = CatalogTable.newBuilder()
                .schema(KEYED)
                .options(Map.of("connector", "paimon", "path", "s9://b/t", "s9.secret-key", "hush"))
                .build();
        assertThatThrownBy(() ->
                        new TableOpener(null, Map.of()).open(Contexts.of("declared", declared, Map.of()), Use.READ))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("path s9://b/t (option 'path') has the scheme 's9'")
                .hasMessageNotContaining("hush");
    }

    private static Schema row(DataTypes.Field field) {
        return Schema.newBuilder().column("r", DataTypes.ROW(field)).build();
    }

    private StoreTable open(Schema schema, Map<String, String> options) {
        CatalogTable declared = CatalogTable.newBuilder()
                .schema(schema)
                .options(Map.of("connector", "paimon", "path", path.toString()))
                .build();
        return new TableOpener(null, Map.of())
                .open(Contexts.of("declared", declared, options), Use.READ)
                .table();
    }

    private static List<String> filesUnder(Path folder) throws Exception {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(file -> !file.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }
}
