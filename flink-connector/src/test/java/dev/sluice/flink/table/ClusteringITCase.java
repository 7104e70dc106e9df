/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.FileStoreTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clustering by a table's option and by a hint. */
final class ClusteringITCase {

    @TempDir
    Path folder;

    /** Least and greatest id of each file. */
    private static List<long[]> ranges(Warehouse warehouse, String name) throws Exception {
        FileStoreTable table =
                (FileStoreTable) warehouse.catalog().catalog().getTable(Identifier.create("default", name));
        List<long[]> ranges = new ArrayList<>();
        for (var split : table.newSnapshotReader().read().dataSplits()) {
            for (var file : split.dataFiles()) {
                ranges.add(new long[] {
                    file.valueStats().minValues().getLong(0),
                    file.valueStats().maxValues().getLong(0)
                });
            }
        }
        ranges.sort(Comparator.comparingLong(range -> range[0]));
        return ranges;
    }

    @Test
    void filesHoldRangesOfTheClusteringColumn() throws Exception {
        Warehouse warehouse = new Warehouse(folder);
        warehouse.env().getConfig().set("parallelism.default", "3");
        warehouse.sql(
                "CREATE TEMPORARY TABLE numbers (n BIGINT) WITH ('connector'='datagen','fields.n.kind'='sequence',"
                        + "'fields.n.start'='0','fields.n.end'='2999','number-of-rows'='3000')");
        String scattered = " SELECT MOD(n * 1009, 3000), 'v' FROM numbers";
        warehouse.sql("CREATE TABLE stored (id BIGINT, v STRING) WITH ('clustering.columns'='id')");
        warehouse.sql("CREATE TABLE plain (id BIGINT, v STRING)");
        warehouse.env().executeSql("INSERT INTO stored" + scattered).await();
        warehouse
                .env()
                .executeSql("INSERT INTO plain /*+ OPTIONS('clustering.columns'='id') */" + scattered)
                .await();
        for (String table : List.of("stored", "plain")) {
            List<long[]> ranges = ranges(warehouse, table);
            assertThat(ranges).as(table).hasSize(3);
            for (int i = 1; i < ranges.size(); i++) {
                assertThat(ranges.get(i)[0]).as(table).isGreaterThan(ranges.get(i - 1)[1]);
            }
            assertThat(warehouse.rows("SELECT COUNT(*), COUNT(DISTINCT id), SUM(id) FROM " + table))
                    .containsExactly(Row.of(3_000L, 3_000L, 2_999L * 1_500L));
        }
        assertThatThrownBy(() ->
                        warehouse.sql("INSERT INTO plain /*+ OPTIONS('clustering.columns'='gone') */" + scattered))
                .hasStackTraceContaining("names column 'gone', which the table does not have. Its columns are [id, v]");
    }
}
