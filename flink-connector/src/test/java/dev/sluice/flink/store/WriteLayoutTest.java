/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteLayoutTest {

    @TempDir
    Path folder;

    private FileSystemCatalog catalog;

    @BeforeEach
    void makeCatalog() throws Exception {
        catalog = new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
    }

    private StoreTable table(List<String> primaryKey, List<String> partition, Map<String, String> options)
            throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.BIGINT())
                .column("day", DataTypes.INT())
                .partitionKeys(partition)
                .options(options);
        if (!primaryKey.isEmpty()) {
            schema.primaryKey(primaryKey);
        }
        catalog.createTable(Identifier.create("db", "t"), schema.build(), false);
        return open("t");
    }

    private StoreTable open(String name) throws Exception {
        return StoreTable.of("p.db." + name, catalog.getTable(Identifier.create("db", name)));
    }

    @Test
    void tablesWithoutBucketsAreUnaware() throws Exception {
        assertThat(WriteLayout.of(table(List.of(), List.of(), Map.of()))).isEqualTo(WriteLayout.UNAWARE);
    }

    @Test
    void tablesWithANumberOfBucketsAreFixed() throws Exception {
        assertThat(WriteLayout.of(table(List.of("id"), List.of(), Map.of("bucket", "2"))))
                .isEqualTo(WriteLayout.FIXED_BUCKETS);
    }

    @Test
    void keysWithoutANumberOfBucketsGetDynamicOnes() throws Exception {
        assertThat(WriteLayout.of(table(List.of("id"), List.of(), Map.of()))).isEqualTo(WriteLayout.DYNAMIC_BUCKETS);
    }

    @Test
    void keysWithoutTheirPartitionMayMoveBetweenPartitions() throws Exception {
        assertThat(WriteLayout.of(table(List.of("id"), List.of("day"), Map.of())))
                .isEqualTo(WriteLayout.CROSS_PARTITION);
    }

    @Test
    void rowsThatMoveNeedDeletesOfTheirOwnKind() throws Exception {
        StoreTable table = table(List.of("id"), List.of("day"), Map.of());
        String moves = "Rows of table t move between partitions, because its primary key does not contain the partition"
                + " columns, and ";
        StoreTable ignoring = StoreTable.of("t", table.table().copy(Map.of("ignore-delete", "true")));
        assertThatThrownBy(() -> WriteLayout.of(ignoring))
                .isInstanceOf(ValidationException.class)
                .hasMessage(moves + "'ignore-delete' = 'true' drops deletes, also those of old rows: a key that moves"
                        + " would be there twice. Make a table without the option, or with the partition columns in its"
                        + " primary key.");
        assertThat(WriteLayout.of(withKinds("kinds", "kind"))).isEqualTo(WriteLayout.CROSS_PARTITION);
        StoreTable both = withKinds("both", "kind");
        StoreTable ignoringBoth = StoreTable.of("t", both.table().copy(Map.of("ignore-delete", "true")));
        assertThatThrownBy(() -> WriteLayout.of(ignoringBoth))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'ignore-delete' = 'true' drops deletes");
        StoreTable where = withKinds("place", "place");
        assertThatThrownBy(() -> WriteLayout.of(where))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "'rowkind.field' = 'place' is part of where a row is, so that the delete of an old"
                                + " row cannot bear its kind there: a key that moves would be there twice.");
    }

    private StoreTable withKinds(String name, String kindColumn) throws Exception {
        catalog.createTable(
                Identifier.create("db", name),
                Schema.newBuilder()
                        .column("id", DataTypes.BIGINT())
                        .column("place", DataTypes.STRING())
                        .column("kind", DataTypes.STRING())
                        .partitionKeys("place")
                        .primaryKey("id")
                        .option("rowkind.field", kindColumn)
                        .build(),
                false);
        return open(name);
    }

    @Test
    void rowsThatStayWhereTheirKeyIsNeedNoDeletes() throws Exception {
        Map<String, String> options = Map.of("merge-engine", "first-row", "ignore-delete", "true");
        assertThat(WriteLayout.of(table(List.of("id"), List.of("day"), options)))
                .isEqualTo(WriteLayout.CROSS_PARTITION);
    }

    @Test
    void postponedBucketsAreWrittenAtOnceInBatchUnlessAnOptionSaysOtherwise() throws Exception {
        StoreTable table = table(List.of("id"), List.of(), Map.of("bucket", "-2"));
        assertThat(WriteLayout.of(table, true)).isEqualTo(WriteLayout.POSTPONED);
        assertThat(WriteLayout.of(table, false)).isEqualTo(WriteLayout.POSTPONED_WITH_BUCKETS);
        Table postponing = open("t").table().copy(Map.of("postpone.batch-write-fixed-bucket", "false"));
        assertThat(WriteLayout.of(StoreTable.of("t", postponing), false)).isEqualTo(WriteLayout.POSTPONED);
    }

    @Test
    void fullCompactionsComeWithOneCommitOrMore() throws Exception {
        StoreTable table = table(List.of("id"), List.of(), Map.of("bucket", "1", "full-compaction.delta-commits", "0"));
        assertThatThrownBy(() -> WriteLayout.of(table))
                .isInstanceOf(ValidationException.class)
                .hasMessage("'full-compaction.delta-commits' is 0 for table p.db.t; accepted is a whole number from 1,"
                        + " the commits between full compactions.");
    }

    @Test
    void systemTablesAreReadOnly() throws Exception {
        table(List.of(), List.of(), Map.of());
        StoreTable snapshots = open("t$snapshots");
        assertThatThrownBy(() -> WriteLayout.of(snapshots))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Table p.db.t$snapshots is a read-only view of another table's metadata or changelog and"
                        + " cannot be written. Write to the table it belongs to.");
    }
}
