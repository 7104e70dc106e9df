/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.Warehouse;
import java.nio.file.Path;
import org.apache.flink.types.Row;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole statements on every way to name a table. */
final class StatementITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void createTable() throws Exception {
        warehouse = new Warehouse(folder);
        warehouse.sql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        warehouse.commit("t", GenericRow.of(1L, BinaryString.fromString("a")));
        warehouse.sql("CALL sys.create_tag(`table` => 'default.t', tag => 'one')");
        warehouse.sql("CALL sys.create_branch('default.t', 'x', 'one')");
        warehouse.commit("t", GenericRow.of(2L, BinaryString.fromString("b")));
    }

    @Test
    void tablesBranchesAndTagsAreRead() throws Exception {
        assertThat(warehouse.rows("SELECT * FROM t")).containsExactlyInAnyOrder(Row.of(1L, "a"), Row.of(2L, "b"));
        assertThat(warehouse.rows("SELECT * FROM `t$branch_x`")).containsExactly(Row.of(1L, "a"));
        assertThat(warehouse.rows("SELECT * FROM t /*+ OPTIONS('scan.tag-name'='one') */"))
                .containsExactly(Row.of(1L, "a"));
        warehouse.sql("ALTER TABLE t ADD w INT");
        assertThat(warehouse.rows("SELECT * FROM t /*+ OPTIONS('scan.tag-name'='one') */"))
                .containsExactly(Row.of(1L, "a", null));
    }

    @Test
    void systemTablesAreRead() throws Exception {
        assertThat(warehouse.rows("SELECT snapshot_id FROM `t$snapshots`"))
                .containsExactlyInAnyOrder(Row.of(1L), Row.of(2L));
        assertThat(warehouse.rows("SELECT tag_name FROM `t$tags`")).containsExactly(Row.of("one"));
    }

    @Test
    void aTableDeclaredByItsPathIsCreatedAndRead() throws Exception {
        String options = "('connector'='paimon','path'='" + warehouse.tableFolder("apart") + "','auto-create'='true')";
        warehouse.sql("CREATE TEMPORARY TABLE d (id BIGINT, v STRING) WITH " + options);
        assertThat(warehouse.rows("SELECT * FROM d")).isEmpty();
        warehouse.commit("apart", GenericRow.of(1L, BinaryString.fromString("a")));
        assertThat(warehouse.rows("SELECT * FROM d")).containsExactly(Row.of(1L, "a"));
    }
}
