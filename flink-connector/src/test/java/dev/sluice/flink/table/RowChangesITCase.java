/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** UPDATE and DELETE. */
final class RowChangesITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void open() {
        warehouse = new Warehouse(folder);
        warehouse.env().getConfig().set("parallelism.default", "2");
    }

    private void run(String statement) throws Exception {
        warehouse.env().executeSql(statement).await();
    }

    private List<String> rows(String table) throws Exception {
        return warehouse.stored(table);
    }

    private void empty(String name, String options) {
        warehouse.sql("CREATE TABLE " + name + " (id INT, v STRING, n INT, PRIMARY KEY (id) NOT ENFORCED)"
                + " WITH ('bucket'='2'" + options + ")");
    }

    private void keyed(String name, String options) throws Exception {
        empty(name, options);
        warehouse.commit(name, row(1, "a", 10), row(2, "b", 20), row(3, "c", 30));
    }

    private static GenericRow row(int id, String v, int n) {
        return GenericRow.of(id, BinaryString.fromString(v), n);
    }

    @Test
    void rowsAreUpdatedAndDeletedByAnyCondition() throws Exception {
        keyed("t", "");
        run("UPDATE t SET v = 'x', n = n + 1 WHERE n >= 20");
        assertThat(rows("t")).containsExactly("1|a|10", "2|x|21", "3|x|31");
        run("UPDATE t SET v = CAST(NULL AS STRING) WHERE id IN (SELECT id FROM t WHERE n = 21)");
        assertThat(rows("t")).containsExactly("1|a|10", "2|null|21", "3|x|31");
        run("DELETE FROM t WHERE v IS NULL OR id = 1");
        assertThat(rows("t")).containsExactly("3|x|31");
        run("DELETE FROM t");
        assertThat(rows("t")).isEmpty();
    }

    @Test
    void withASequenceFieldTheUpdateWinsOverTheRowItCameFrom() throws Exception {
        keyed("t", ",'sequence.field'='n'");
        run("UPDATE t SET v = 'x' WHERE id = 2");
        assertThat(rows("t")).containsExactly("1|a|10", "2|x|20", "3|c|30");
        run("DELETE FROM t WHERE id = 2");
        assertThat(rows("t")).containsExactly("1|a|10", "3|c|30");
    }

    @Test
    void partialUpdateTakesValuesButNoNull() throws Exception {
        keyed("t", ",'merge-engine'='partial-update','partial-update.remove-record-on-delete'='true'");
        run("UPDATE t SET v = 'x' WHERE id = 2");
        assertThat(rows("t")).containsExactly("1|a|10", "2|x|20", "3|c|30");
        assertThatThrownBy(() -> run("UPDATE t SET v = CAST(NULL AS STRING) WHERE id = 2"))
                .rootCause()
                .hasMessageStartingWith("Table p.default.t cannot take UPDATE of column 'v' to NULL");
        run("DELETE FROM t WHERE n = 30");
        assertThat(rows("t")).containsExactly("1|a|10", "2|x|20");
    }

    @Test
    void whatATableCannotTakeIsRefusedWithTheReason() throws Exception {
        empty("first", ",'merge-engine'='first-row'");
        keyed("sums", ",'merge-engine'='aggregation','fields.n.aggregate-function'='sum'");
        empty("part", ",'merge-engine'='partial-update'");
        empty("ignoring", ",'ignore-delete'='true'");
        empty("kinds", ",'rowkind.field'='v'");
        warehouse.sql("CREATE TABLE plain (id INT, v STRING)");
        refused(
                "UPDATE first SET v = 'x' WHERE id = 1",
                "its merge engine first-row keeps the row that was there first");
        refused("DELETE FROM first WHERE id = 1", "its merge engine first-row keeps the row that was there first");
        refused("UPDATE sums SET v = 'x' WHERE id = 1", "its merge engine aggregation would add the new row up");
        refused("DELETE FROM sums WHERE id = 1", "Set 'aggregation.remove-record-on-delete' = 'true' with ALTER TABLE");
        refused("DELETE FROM part WHERE id = 1", "Set 'partial-update.remove-record-on-delete' = 'true'");
        refused("DELETE FROM ignoring WHERE id = 1", "it ignores deletions ('ignore-delete' = 'true')");
        refused("DELETE FROM kinds WHERE id = 1", "INSERT the rows with '-D' in that column");
        refused("UPDATE plain SET v = 'x' WHERE id = 1", "it has no primary key to find the old rows by");
        refused("DELETE FROM plain WHERE id = 1", "DELETE of all rows and of whole partitions works");
        refused("UPDATE part SET id = 9 WHERE id = 1", "UPDATE of [id]");
        refused("DELETE FROM `part$snapshots` WHERE snapshot_id = 1", "read-only view");
        assertThat(rows("sums")).containsExactly("1|a|10", "2|b|20", "3|c|30");
    }

    @Test
    void wholePartitionsAreDeletedOfAnyTable() throws Exception {
        warehouse.sql("CREATE TABLE a (id INT, dt DATE, h INT, s STRING) PARTITIONED BY (dt, h, s)");
        run("INSERT INTO a VALUES (1, DATE '2026-01-01', 1, 'x'), (2, DATE '2026-01-01', 2, 'x'),"
                + " (3, DATE '2026-01-02', 1, 'y'), (4, DATE '2026-01-02', 1, CAST(NULL AS STRING))");
        run("DELETE FROM a WHERE dt = DATE '2026-01-01' AND h = 2");
        assertThat(rows("a")).containsExactly("1|20454|1|x", "3|20455|1|y", "4|20455|1|null");
        refused("DELETE FROM a WHERE s = '__DEFAULT_PARTITION__'", "whole partitions works");
        refused("DELETE FROM a WHERE h > 1", "whole partitions works");
        refused("DELETE FROM a WHERE h = 1 AND id = 3", "whole partitions works");
        run("DELETE FROM a WHERE s = 'y'");
        assertThat(rows("a")).containsExactly("1|20454|1|x", "4|20455|1|null");
        run("DELETE FROM a");
        assertThat(rows("a")).isEmpty();
    }

    @Test
    void rowsOfThePastAreNotWrittenBack() throws Exception {
        keyed("t", "");
        run("INSERT INTO t VALUES (1, 'new', 11)");
        warehouse.env().getConfig().set("scan.snapshot-id", "1");
        refused(
                "UPDATE t SET n = n + 1 WHERE id = 1",
                "'scan.snapshot-id' = '1' (SET 'scan.snapshot-id' in this session): UPDATE and DELETE change the rows"
                        + " that they find");
        refused("DELETE FROM t WHERE v = 'a'", "would be rows of the past");
        warehouse.env().getConfig().getConfiguration().removeKey("scan.snapshot-id");
        run("DELETE FROM t WHERE id IN (SELECT id FROM t /*+ OPTIONS('scan.snapshot-id'='1') */ WHERE v = 'a')");
        assertThat(rows("t")).containsExactly("2|b|20", "3|c|30");
    }

    @Test
    void aStreamingSessionIsToldToUseBatch() throws Exception {
        keyed("t", "");
        warehouse = new Warehouse(folder, EnvironmentSettings.inStreamingMode());
        refused("UPDATE t SET v = 'x' WHERE id = 1", "streaming mode");
        refused("DELETE FROM t WHERE id = 1", "streaming mode");
    }

    private void refused(String statement, String message) {
        assertThatThrownBy(() -> run(statement)).hasStackTraceContaining(message);
    }
}
