/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.Warehouse;
import java.nio.file.Path;
import org.apache.flink.types.Row;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts, bytes and decimals that a column has no room for: what SQL makes of them ahead of the sink. */
final class ValuesBeyondColumnsITCase {

    @TempDir
    Path folder;

    private Warehouse warehouse;

    @BeforeEach
    void open() {
        warehouse = new Warehouse(folder);
    }

    private void run(String statement) throws Exception {
        warehouse.env().executeSql(statement).await();
    }

    @Test
    void aTextOrBytesOfALongerTypeAreCutByFlinksCast() throws Exception {
        run("CREATE TABLE l (id INT, c VARCHAR(3), b VARBINARY(2))");
        run("INSERT INTO l SELECT id, CONCAT('long', CAST(id AS STRING)), CAST(REPEAT('z', 3) AS BYTES)"
                + " FROM (VALUES (1)) AS v (id)");
        assertThat(warehouse.rows("SELECT id, c, CAST(b AS STRING) FROM l")).containsExactly(Row.of(1, "lon", "zz"));
    }

    /** Other engines do not look at the length, and Flink believes the type. */
    @Test
    void aTextOrBytesThatBelieTheirTypeAreRefusedCutOrTakenAsFlinkIsTold() throws Exception {
        String columns = " (id INT, c VARCHAR(3), b VARBINARY(2))";
        run("CREATE TABLE source" + columns);
        run("CREATE TABLE l" + columns);
        warehouse.commit("source", GenericRow.of(1, BinaryString.fromString("long1"), new byte[] {'a'}));
        warehouse.commit("source", GenericRow.of(2, BinaryString.fromString("x"), new byte[] {'a', 'b', 'c'}));

        enforce("ERROR");
        assertThatThrownBy(() -> run("INSERT INTO l SELECT * FROM source WHERE id = 1"))
                .hasStackTraceContaining("Column 'c' is VARCHAR(3), however, a string of length 5 is being written");
        assertThatThrownBy(() -> run("INSERT INTO l SELECT * FROM source WHERE id = 2"))
                .hasStackTraceContaining("Column 'b' is VARBINARY(2), however")
                .hasStackTraceContaining("of length 3 is being written");
        assertThat(warehouse.stored("l")).isEmpty();

        enforce("TRIM_PAD");
        run("INSERT INTO l SELECT * FROM source");
        enforce("IGNORE");
        run("INSERT INTO l SELECT id + 10, c, b FROM source");
        assertThat(warehouse.rows("SELECT id, c, CAST(b AS STRING) FROM l"))
                .containsExactlyInAnyOrder(
                        Row.of(1, "lon", "a"), Row.of(2, "x", "ab"), Row.of(11, "long1", "a"), Row.of(12, "x", "abc"));
    }

    private void enforce(String how) {
        warehouse.env().getConfig().set("table.exec.sink.type-length-enforcer", how);
    }

    @Test
    void aDecimalBecomesNullAndIsRefusedWhereNoneMayBe() throws Exception {
        run("CREATE TABLE d (id INT, n DECIMAL(5, 2), m DECIMAL(5, 2) NOT NULL)");
        run(
                "INSERT INTO d SELECT id, x, CAST(1.005 AS DECIMAL(10, 3)) FROM"
                        + " (VALUES (1, CAST(1234567.89 AS DECIMAL(20, 2))), (2, CAST(999.99 AS DECIMAL(20, 2)))) AS v (id, x)");
        assertThat(warehouse.stored("d")).containsExactly("1|null|1.01", "2|999.99|1.01");
        assertThatThrownBy(() -> run("INSERT INTO d SELECT id, CAST(1 AS DECIMAL(5, 2)), x FROM"
                        + " (VALUES (3, CAST(1234567.89 AS DECIMAL(20, 2)))) AS v (id, x)"))
                .hasStackTraceContaining("Column 'm' is NOT NULL, however, a null value is being written into it");
        assertThat(warehouse.stored("d")).hasSize(2);
    }
}
