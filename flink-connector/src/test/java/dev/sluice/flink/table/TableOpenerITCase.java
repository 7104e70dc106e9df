/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the factory makes of tables of a catalog, with the statement's options merged in as the planner does it. */
final class TableOpenerITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createTable() {
        warehouse = new Warehouse(folder);
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
    }

    @Test
    void theCatalogHandsOutOurSourceAndSink() throws Exception {
        Object factory = warehouse.catalog().getFactory().orElseThrow();
        DynamicTableFactory.Context context = Contexts.of("t", table("t"), Map.of());
        assertThat(((DynamicTableSourceFactory) factory).createDynamicTableSource(context))
                .isInstanceOf(PaimonTableSource.class);
        assertThat(((DynamicTableSinkFactory) factory).createDynamicTableSink(context))
                .isInstanceOf(PaimonTableSink.class);
    }

    @Test
    void aDataTableCarriesTheOptionsOfTheHint() throws Exception {
        StoreTable opened = open("t", Map.of("scan.parallelism", "3"));
        assertThat(opened.name()).isEqualTo("p.default.t");
        assertThat(opened.kind()).isEqualTo(StoreTable.Kind.PRIMARY_KEY);
        assertThat(opened.options()).containsEntry("bucket", "2").containsEntry("scan.parallelism", "3");
    }

    @Test
    void aReadPositionLeavesTheColumnsThatThePlannerHasSeen() throws Exception {
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'before')");
        warehouse.sql("ALTER TABLE t ADD w INT");
        StoreTable opened = open("t", Map.of("scan.tag-name", "before"));
        assertThat(opened.rowType().getFieldNames()).containsExactly("id", "v", "w");
        assertThat(opened.options()).containsEntry("scan.tag-name", "before");
    }

    @Test
    void aBranchIsATableOfItsOwn() throws Exception {
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        warehouse.sql("CALL sys.create_branch('default.t', 'x')");
        warehouse.sql("ALTER TABLE t ADD w INT");
        StoreTable opened = open("t$branch_x", Map.of());
        assertThat(opened.name()).isEqualTo("p.default.t$branch_x");
        assertThat(opened.rowType().getFieldNames()).containsExactly("id", "v");
    }

    @Test
    void systemAndFormatTablesAreReadableToo() throws Exception {
        StoreTable snapshots = open("t$snapshots", Map.of());
        assertThat(snapshots.kind()).isEqualTo(StoreTable.Kind.SYSTEM);
        assertThat(snapshots.rowType().getFieldNames()).contains("snapshot_id", "commit_kind");
        StoreTable auditLog = open("t$audit_log", Map.of("scan.parallelism", "3"));
        assertThat(auditLog.options()).containsEntry("scan.parallelism", "3");

        // A file system metastore makes none itself but shows those that another engine put there.
        Schema csv = Schema.newBuilder()
                .column("a", org.apache.paimon.types.DataTypes.INT())
                .column("b", org.apache.paimon.types.DataTypes.STRING())
                .options(Map.of("type", "format-table", "file.format", "csv"))
                .build();
        new SchemaManager(
                        LocalFileIO.create(),
                        new org.apache.paimon.fs.Path(warehouse.tableFolder("f").toUri()))
                .createTable(csv);
        StoreTable format = open("f", Map.of());
        assertThat(format.kind()).isEqualTo(StoreTable.Kind.FORMAT);
        assertThat(format.rowType().getFieldNames()).containsExactly("a", "b");
        assertThat(open("f", Map.of("csv.field-delimiter", ";", "scan.parallelism", "3"))
                        .options())
                .containsEntry("csv.field-delimiter", ";")
                .containsEntry("scan.parallelism", "3");
        assertThatThrownBy(() -> open("f", Map.of("csv.field-delimiterr", ";")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "Table p.default.f, option 'csv.field-delimiterr' = ';' (hint of this statement): no"
                                + " option has this key");
    }

    /** Values are told from stored ones by being other objects, and a literal of the hint is one. */
    @Test
    void aHintThatRepeatsTheStoredValueOfAFormatTableIsStillTheHints() throws Exception {
        Schema csv = Schema.newBuilder()
                .column("a", org.apache.paimon.types.DataTypes.INT())
                .options(Map.of("type", "format-table", "file.format", "csv", "csv.field-delimiter", "|"))
                .build();
        new SchemaManager(
                        LocalFileIO.create(),
                        new org.apache.paimon.fs.Path(warehouse.tableFolder("f").toUri()))
                .createTable(csv);
        CatalogTable stored = table("f");
        Map<String, String> merged = new HashMap<>(stored.getOptions());
        merged.put("csv.field-delimiter", String.valueOf(new char[] {'|'}));
        assertThat(((HintedFormatTable) stored.copy(merged)).hint())
                .containsExactly(Map.entry("csv.field-delimiter", "|"));
        assertThat(((HintedFormatTable) stored.copy(new HashMap<>(stored.getOptions()))).hint())
                .isEmpty();
    }

    @Test
    void aHintMayRepeatButNotChangeWhatDefinesTheTable() throws Exception {
        assertThat(open("t", Map.of("bucket", "2", "merge-engine", "Deduplicate", "primary-key", "id"))
                        .options())
                .containsEntry("bucket", "2");
        assertThatThrownBy(() -> open("t", Map.of("bucket", "5", "merge-engine", "first-row", "rowkind.field", "v")))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("Table p.default.t has 3 problems with its options.")
                .hasMessageContaining("'bucket' = '5' (hint of this statement): it defines the table, which has '2'")
                .hasMessageContaining("ALTER TABLE p.`default`.t SET ('bucket' = '5')")
                .hasMessageContaining(
                        "'merge-engine' = 'first-row' (hint of this statement): it defines the table, which"
                                + " has 'deduplicate'")
                .hasMessageContaining(
                        "'rowkind.field' = 'v' (hint of this statement): it defines the table, which has" + " none");
    }

    @Test
    void aHintOnASystemTableIsRefusedInTheSameWords() {
        assertThatThrownBy(() -> open("t$audit_log", Map.of("bucket", "5")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table p.default.t$audit_log, option 'bucket' = '5' (hint of this statement): it"
                        + " defines the table, which has '2'");
        assertThatThrownBy(() -> open("t$snapshots", Map.of("merge-engine", "first-row")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Table p.default.t$snapshots, option 'merge-engine' = 'first-row' (hint of this"
                        + " statement): it defines the table");
    }

    @Test
    void aCatalogHelpsWithTablesThatFlinkHandsOverWithoutTheEnginesOne() throws Exception {
        CatalogTable stored = table("t");
        CatalogTable plain = CatalogTable.newBuilder()
                .schema(stored.getUnresolvedSchema())
                .options(stored.getOptions())
                .build();
        StoreTable opened =
                opener().open(Contexts.of("t", plain, Map.of()), Use.READ).table();
        assertThat(opened.name()).isEqualTo("p.default.t");
        assertThat(opened.options()).containsEntry("bucket", "2");

        warehouse.sql("DROP TABLE t");
        assertThatThrownBy(() -> opener().open(Contexts.of("t", plain, Map.of()), Use.READ))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("Table p.default.t is not in its catalog any more");
    }

    @Test
    void aDamagedLatestSnapshotIsNamedUnlessTheReadIsAboutAnEarlierOne() throws Exception {
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        warehouse.commit("t", GenericRow.of(2L, BinaryString.fromString("b")));
        Path snapshot = warehouse.tableFolder("t").resolve("snapshot/snapshot-2");
        Files.writeString(snapshot, Files.readString(snapshot).substring(0, 40));
        warehouse = new Warehouse(folder); // one that has not read it before

        assertThatThrownBy(() -> open("t", Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasNoCause()
                .hasMessageContaining("Table p.default.t cannot be opened: its latest snapshot file")
                .hasMessageContaining("default.db/t/snapshot/snapshot-2 cannot be read")
                .hasMessageContaining("Restore that file");
        assertThat(open("t", Map.of("scan.snapshot-id", "1")).options()).containsEntry("scan.snapshot-id", "1");
    }

    @Test
    void aScanOfAStreamingJobGoesOnUnlessItIsBounded() throws Exception {
        Configuration streaming =
                new Configuration().set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        Configuration batch = new Configuration().set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        assertThat(PaimonTableFactory.scanGoesOn(streaming, settings(Map.of()))).isTrue();
        assertThat(PaimonTableFactory.scanGoesOn(streaming, settings(Map.of("scan.bounded", "true"))))
                .isFalse();
        assertThat(PaimonTableFactory.scanGoesOn(batch, settings(Map.of()))).isFalse();
        assertThatThrownBy(() -> settings(Map.of("scan.bounded", "ture")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("p.default.t")
                .hasMessageContaining("scan.bounded")
                .hasMessageContaining("ture");
    }

    private ReadSettings settings(Map<String, String> hint) throws Exception {
        return opener().open(Contexts.of("t", table("t"), hint), Use.READ).settings(ReadSettings::from);
    }

    private CatalogTable table(String name) throws Exception {
        return (CatalogTable) warehouse.catalog().getTable(Contexts.path(name));
    }

    private StoreTable open(String name, Map<String, String> hint) throws Exception {
        return opener().open(Contexts.of(name, table(name), hint), Use.READ).table();
    }

    private TableOpener opener() {
        return new TableOpener(warehouse.catalog(), Map.of());
    }
}
