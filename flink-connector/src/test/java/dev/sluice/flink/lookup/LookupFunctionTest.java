/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.lookup.EngineTable.Columns;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.TimestampData;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lookup functions on real tables: which rows a probe finds, and when a change is seen. */
class LookupFunctionTest {

    @TempDir
    Path warehouse;

    /** Options that every statement sets. */
    Map<String, String> hints() {
        return Map.of();
    }

    private EngineTable engineTable(Schema schema) throws Exception {
        return new EngineTable(warehouse, schema, hints());
    }

    private static Columns users() {
        return new Columns()
                .column("id", DataTypes.INT())
                .column("name", DataTypes.STRING())
                .column("city", DataTypes.STRING());
    }

    private static Schema keyedUsers() {
        return users().option("bucket", "2").keyed("id");
    }

    private static Columns orders() {
        return new Columns()
                .column("day", DataTypes.STRING())
                .column("id", DataTypes.INT())
                .column("line", DataTypes.INT())
                .column("amount", DataTypes.INT());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void findsByWholeKeyByPartAndByAnyColumn(boolean async) throws Exception {
        try (EngineTable table = engineTable(orders().option("bucket", "2").keyed("id", "line"))) {
            table.write(row("mon", 1, 1, 10), row("mon", 1, 2, 20), row("tue", 2, 1, 10));
            try (Probes byKey = Probes.open(table.asSeenNow(), async, List.of(), List.of(), "id", "line");
                    Probes turned = Probes.open(table.asSeenNow(), async, List.of(), List.of(), "line", "id");
                    Probes byPart = Probes.open(table.asSeenNow(), async, List.of(), List.of(), "id");
                    Probes byColumn = Probes.open(table.asSeenNow(), async, List.of(), List.of(), "amount", "day")) {
                assertThat(byKey.get(1, 2)).containsExactly(List.of("mon", 1, 2, 20));
                assertThat(byKey.get(2, 2)).isEmpty();
                assertThat(turned.get(2, 1)).containsExactly(List.of("mon", 1, 2, 20));
                assertThat(byPart.get(1)).containsExactlyInAnyOrder(List.of("mon", 1, 1, 10), List.of("mon", 1, 2, 20));
                assertThat(byColumn.get(10, "tue")).containsExactly(List.of("tue", 2, 1, 10));
            }
        }
    }

    @Test
    void aNullKeyMatchesNothingNotEvenNull() throws Exception {
        try (EngineTable table = engineTable(users().option("bucket", "2").keyed("id"))) {
            table.write(row(1, null, "Oslo"), row(2, "Bo", "Oslo"));
            try (Probes byName = Probes.open(table.asSeenNow(), "name");
                    Probes byBoth = Probes.open(table.asSeenNow(), "id", "name");
                    Probes byId = Probes.open(table.asSeenNow(), "id")) {
                assertThat(byName.get((Object) null)).isEmpty();
                assertThat(byBoth.get(1, null)).isEmpty();
                assertThat(byId.get((Object) null)).isEmpty();
                assertThat(byId.get(1)).containsExactly(Arrays.asList(1, null, "Oslo"));
            }
        }
    }

    @Test
    void keepsEveryDuplicateOfAnAppendTable() throws Exception {
        try (EngineTable table = engineTable(users().unkeyed())) {
            table.write(row(1, "Al", "Oslo"), row(1, "Al", "Oslo"));
            try (Probes probes = Probes.open(table.asSeenNow(), "id")) {
                List<Object> row = List.of(1, "Al", "Oslo");
                assertThat(probes.get(1)).containsExactly(row, row);
                table.write(row(1, "Al", "Oslo"), row(2, "Bo", "Rome"));
                await().untilAsserted(() -> assertThat(probes.get(1)).containsExactly(row, row, row));
                table.overwrite(row(1, "Cy", "Rome"));
                await().untilAsserted(() -> assertThat(probes.get(1)).containsExactly(List.of(1, "Cy", "Rome")));
                assertThat(probes.get(2)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "city"})
    void updatesAndDeletesAreSeen(String key) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.write(row(1, "Al", "Oslo"), row(2, "Bo", "Rome"));
            try (Probes probes = Probes.open(table.asSeenNow(), key)) {
                Object[] probe = key.equals("id") ? new Object[] {1} : new Object[] {"Oslo"};
                assertThat(probes.get(probe)).containsExactly(List.of(1, "Al", "Oslo"));
                table.insert(1, "Ann", "Oslo");
                await().untilAsserted(() -> assertThat(probes.get(probe)).containsExactly(List.of(1, "Ann", "Oslo")));
                table.delete(1, "Ann", "Oslo");
                await().untilAsserted(() -> assertThat(probes.get(probe)).isEmpty());
            }
        }
    }

    @Test
    void aRowMovesBetweenJoinKeys() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.write(row(1, "Al", "Oslo"), row(2, "Bo", "Rome"));
            try (Probes probes = Probes.open(table.asSeenNow(), "city")) {
                table.insert(1, "Al", "Rome");
                await().untilAsserted(() -> assertThat(probes.get("Rome")).hasSize(2));
                assertThat(probes.get("Oslo")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "city"})
    void anEmptyTableIsProbedAndGetsRowsLater(String key) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            try (Probes probes = Probes.open(table.asSeenNow(), key)) {
                Object probe = key.equals("id") ? 1 : "Oslo";
                assertThat(probes.get(probe)).isEmpty();
                table.insert(1, "Al", "Oslo");
                await().untilAsserted(() -> assertThat(probes.get(probe)).hasSize(1));
            }
        }
    }

    @Test
    void projectsInAnyOrderAndWithoutThePrimaryKey() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.write(row(1, "Al", "Oslo"), row(2, "Al", "Oslo"));
            try (Probes probes = Probes.open(table.asSeenNow(), false, List.of("city", "name"), List.of(), "name")) {
                assertThat(probes.get("Al")).containsExactly(List.of("Oslo", "Al"), List.of("Oslo", "Al"));
                table.delete(1, "Al", "Oslo");
                await().untilAsserted(() -> assertThat(probes.get("Al")).containsExactly(List.of("Oslo", "Al")));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"id, false", "id, true", "name, false", "name, true"})
    void aRowLeavesAndEntersAFilter(String key, boolean async) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.write(row(1, "Al", "Oslo"), row(2, "Bo", "Rome"));
            Predicate inOslo = new PredicateBuilder(table.asSeenNow().rowType())
                    .equal(2, org.apache.paimon.data.BinaryString.fromString("Oslo"));
            try (Probes probes = Probes.open(table.asSeenNow(), async, List.of("name", "id"), List.of(inOslo), key)) {
                Object al = key.equals("id") ? 1 : "Al";
                Object bo = key.equals("id") ? 2 : "Bo";
                assertThat(probes.get(al)).containsExactly(List.of("Al", 1));
                assertThat(probes.get(bo)).isEmpty();
                table.write(row(1, "Al", "Rome"), row(2, "Bo", "Oslo"));
                await().untilAsserted(() -> assertThat(probes.get(al)).isEmpty());
                assertThat(probes.get(bo)).containsExactly(List.of("Bo", 2));
            }
        }
    }

    @Test
    void comparesKeysOfEveryScalarKind() throws Exception {
        Schema schema = new Columns()
                .column("c", DataTypes.CHAR(4))
                .column("d", DataTypes.DECIMAL(30, 4))
                .column("t", DataTypes.TIMESTAMP(9))
                .column("b", DataTypes.BINARY(3))
                .column("f", DataTypes.DOUBLE())
                .column("v", DataTypes.INT())
                .option("bucket", "2")
                .keyed("c", "d", "t", "b");
        Decimal decimal = Decimal.fromBigDecimal(new BigDecimal("12345678901234567890.1250"), 30, 4);
        LocalDateTime time = LocalDateTime.parse("2024-02-29T12:34:56.123456789");
        byte[] bytes = {1, 0, -1};
        try (EngineTable table = engineTable(schema)) {
            table.write(
                    row("ab  ", decimal, Timestamp.fromLocalDateTime(time), bytes, -0.0d, 1),
                    row("abc ", decimal, Timestamp.fromLocalDateTime(time), bytes, 1.5d, 2));
            Object[] probe = {
                "ab  ",
                DecimalData.fromBigDecimal(new BigDecimal("12345678901234567890.125"), 30, 4),
                TimestampData.fromLocalDateTime(time),
                bytes.clone()
            };
            try (Probes byKey = Probes.open(
                            table.asSeenNow(), false, List.of("c", "d", "t", "b", "v"), List.of(), "c", "d", "t", "b");
                    Probes byPart = Probes.open(
                            table.asSeenNow(), false, List.of("b", "t", "d", "v"), List.of(), "b", "t", "d");
                    Probes byDouble = Probes.open(table.asSeenNow(), "f")) {
                assertThat(byKey.get(probe)).extracting(row -> row.get(4)).containsExactly(1);
                assertThat(byPart.get(probe[3], probe[2], probe[1]))
                        .extracting(row -> row.get(3))
                        .containsExactlyInAnyOrder(1, 2);
                assertThat(byDouble.get(0.0d)).extracting(row -> row.get(5)).containsExactly(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "deletion-vectors.enabled, true",
        "deletion-vectors.merge-on-read, true",
        "merge-engine, first-row",
        "changelog-producer, lookup",
        "bucket, -1"
    })
    void seesWhatABatchReadSees(String option, String value) throws Exception {
        Columns columns = users().option("bucket", "2").option(option, value);
        if (option.startsWith("deletion-vectors")) {
            columns.option("deletion-vectors.enabled", "true");
        }
        try (EngineTable table = engineTable(columns.keyed("id"))) {
            table.writeAndCompact(row(1, "Al", "Oslo"), row(2, "Bo", "Rome"), row(3, "Cy", "Rome"));
            try (Probes byId = Probes.open(table.asSeenNow(), "id");
                    Probes byCity = Probes.open(table.asSeenNow(), "city")) {
                assertThat(byId.get(1)).containsExactly(List.of(1, "Al", "Oslo"));
                assertThat(byCity.get("Rome")).hasSize(2);
                if (value.equals("first-row")) {
                    table.writeAndCompact(row(3, "Changed", "Oslo"), row(4, "Di", "Rome"));
                } else {
                    table.writeAndCompact(
                            row(RowKind.DELETE, 2, "Bo", "Rome"), row(1, "Ann", "Rome"), row(4, "Di", "Rome"));
                }
                await().untilAsserted(() -> assertThat(byCity.get("Rome")).contains(List.of(4, "Di", "Rome")));
                await().untilAsserted(() -> assertThat(byId.get(4)).containsExactly(List.of(4, "Di", "Rome")));
                if (value.equals("first-row")) {
                    assertThat(byCity.get("Rome")).hasSize(3);
                    assertThat(byId.get(3)).containsExactly(List.of(3, "Cy", "Rome"));
                } else {
                    assertThat(byCity.get("Rome"))
                            .containsExactlyInAnyOrder(
                                    List.of(1, "Ann", "Rome"), List.of(3, "Cy", "Rome"), List.of(4, "Di", "Rome"));
                    assertThat(byId.get(2)).isEmpty();
                    assertThat(byCity.get("Oslo")).isEmpty();
                }
            }
        }
    }

    @Test
    void mergesPartialUpdatesAndAggregates() throws Exception {
        Schema schema = users().option("bucket", "1")
                .option("merge-engine", "partial-update")
                .keyed("id");
        try (EngineTable table = engineTable(schema)) {
            table.insert(1, "Al", null);
            try (Probes probes = Probes.open(table.asSeenNow(), "id")) {
                assertThat(probes.get(1)).containsExactly(Arrays.asList(1, "Al", null));
                table.insert(1, null, "Oslo");
                await().untilAsserted(() -> assertThat(probes.get(1)).containsExactly(List.of(1, "Al", "Oslo")));
            }
        }
    }

    @Test
    void obeysTheSequenceField() throws Exception {
        Schema schema = orders().option("bucket", "1")
                .option("sequence.field", "amount")
                .keyed("id");
        try (EngineTable table = engineTable(schema)) {
            table.insert("mon", 1, 1, 10);
            try (Probes probes = Probes.open(table.asSeenNow(), false, List.of("id", "day"), List.of(), "id")) {
                table.write(row("late", 1, 1, 5), row("new", 2, 1, 1));
                await().untilAsserted(() -> assertThat(probes.get(2)).hasSize(1));
                assertThat(probes.get(1)).containsExactly(List.of(1, "mon"));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void followsPartitions(boolean wholeKey) throws Exception {
        Schema schema = orders().partitionedBy("day").option("bucket", "2").keyed("day", "id");
        String[] keys = wholeKey ? new String[] {"id", "day"} : new String[] {"id"};
        Object[] probe = wholeKey ? new Object[] {1, "tue"} : new Object[] {1};
        try (EngineTable table = engineTable(schema)) {
            table.write(row("mon", 1, 1, 10), row("mon", 2, 1, 20));
            try (Probes probes = Probes.open(table.asSeenNow(), keys)) {
                assertThat(probes.get(probe)).hasSize(wholeKey ? 0 : 1);
                table.insert("tue", 1, 1, 30);
                await().untilAsserted(() -> assertThat(probes.get(probe)).contains(List.of("tue", 1, 1, 30)));
                assertThat(probes.get(probe)).hasSize(wholeKey ? 1 : 2);
                table.overwrite(row("tue", 1, 1, 31));
                await().untilAsserted(() -> assertThat(probes.get(probe)).contains(List.of("tue", 1, 1, 31)));
                assertThat(probes.get(probe)).hasSize(wholeKey ? 1 : 2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "false, true"})
    void joinsWithTheGreatestPartition(boolean waits, boolean keyed) throws Exception {
        Columns columns = orders().partitionedBy("day").option("bucket", keyed ? "2" : "-1");
        try (EngineTable table = engineTable(keyed ? columns.keyed("day", "id") : columns.unkeyed())) {
            table.write(row("2024-01-01", 1, 1, 10), row("2024-01-02", 1, 1, 20), row("2024-01-02", 2, 1, 21));
            Map<String, String> greatest = Map.of(
                    "scan.partitions",
                    "max_pt()",
                    "lookup.dynamic-partition.refresh-interval",
                    "20 ms",
                    "lookup.dynamic-partition.refresh.async",
                    Boolean.toString(!waits));
            try (Probes probes = Probes.open(table.asSeenNow(greatest), "id");
                    Probes fixed = Probes.open(table.asSeenNow(Map.of("scan.partitions", "day=2024-01-01")), "id")) {
                assertThat(probes.get(1)).containsExactly(List.of("2024-01-02", 1, 1, 20));
                table.insert("2024-01-03", 1, 1, 30);
                await().untilAsserted(() -> assertThat(probes.get(1)).containsExactly(List.of("2024-01-03", 1, 1, 30)));
                assertThat(probes.get(2)).isEmpty();
                table.overwrite(row("2024-01-03", 2, 1, 31));
                await().untilAsserted(() -> assertThat(probes.get(2)).containsExactly(List.of("2024-01-03", 2, 1, 31)));
                assertThat(probes.get(1)).isEmpty();
                assertThat(fixed.get(1)).containsExactly(List.of("2024-01-01", 1, 1, 10));
                table.insert("2024-01-01", 3, 1, 40);
                await().untilAsserted(() -> assertThat(fixed.get(3)).hasSize(1));
            }
        }
    }

    @Test
    void joinsWithTheTwoGreatestPartitions() throws Exception {
        Schema schema = orders().partitionedBy("day").option("bucket", "1").keyed("day", "id");
        Map<String, String> greatest =
                Map.of("scan.partitions", "max_two_pt()", "lookup.dynamic-partition.refresh-interval", "20 ms");
        try (EngineTable table = engineTable(schema)) {
            table.write(row("mon", 1, 1, 10), row("tue", 1, 1, 20), row("sun", 1, 1, 30));
            try (Probes probes = Probes.open(table.asSeenNow(greatest), "id")) {
                assertThat(probes.get(1)).containsExactlyInAnyOrder(List.of("sun", 1, 1, 30), List.of("tue", 1, 1, 20));
                table.insert("wed", 1, 1, 40);
                await().untilAsserted(() -> assertThat(probes.get(1))
                        .containsExactlyInAnyOrder(List.of("tue", 1, 1, 20), List.of("wed", 1, 1, 40)));
            }
        }
    }

    @Test
    void refusesPartitionsThatTheTableCannotHave() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            assertThatThrownBy(() -> Probes.open(table.asSeenNow(Map.of("scan.partitions", "max_pt()")), "id"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "Table c.d.t, option 'scan.partitions' = 'max_pt()': the table has no" + " partitions.");
        }
    }

    @Test
    void loadsAnewWhenTooManySnapshotsAreToFollow() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            try (Probes probes =
                    Probes.open(table.asSeenNow(Map.of("lookup.refresh.full-load-threshold", "1")), "city")) {
                for (int id = 2; id < 5; id++) {
                    table.insert(id, "Bo", "Oslo");
                }
                await().untilAsserted(() -> assertThat(probes.get("Oslo")).hasSize(4));
            }
        }
    }

    @Test
    void probesOfABranch() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            table.branch("b");
            table.insert(1, "Al", "Rome");
            try (Probes main = Probes.open(table.asSeenNow(), "id");
                    Probes branch = Probes.open(table.ofBranch("b"), "id")) {
                assertThat(main.get(1)).containsExactly(List.of(1, "Al", "Rome"));
                assertThat(branch.get(1)).containsExactly(List.of(1, "Al", "Oslo"));
            }
        }
    }

    @Test
    void aChosenSnapshotStaysAsItIs() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            table.insert(1, "Ann", "Oslo");
            try (Probes old = Probes.open(table.asSeenNow(Map.of("scan.snapshot-id", "1")), "id");
                    Probes now = Probes.open(table.asSeenNow(), "id")) {
                table.insert(1, "Ada", "Oslo");
                await().untilAsserted(() -> assertThat(now.get(1)).containsExactly(List.of(1, "Ada", "Oslo")));
                assertThat(old.get(1)).containsExactly(List.of(1, "Al", "Oslo"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "city"})
    void survivesRollbackAndExpiry(String key) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            table.insert(1, "Ann", "Oslo");
            try (Probes probes = Probes.open(table.asSeenNow(), key)) {
                Object probe = key.equals("id") ? 1 : "Oslo";
                assertThat(probes.get(probe)).containsExactly(List.of(1, "Ann", "Oslo"));
                table.rollbackTo(1);
                await().untilAsserted(() -> assertThat(probes.get(probe)).containsExactly(List.of(1, "Al", "Oslo")));
                table.insert(1, "Ada", "Oslo");
                table.writeAndCompact(row(1, "Abe", "Oslo"));
                table.expireAllButLast();
                await().untilAsserted(() -> assertThat(probes.get(probe)).containsExactly(List.of(1, "Abe", "Oslo")));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "city"})
    void aDroppedTableFailsProbes(String key) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            try (Probes probes = Probes.open(table.asSeenNow(), key)) {
                Object probe = key.equals("id") ? 1 : "Oslo";
                table.drop();
                await().untilAsserted(() -> assertThatThrownBy(() -> probes.get(probe))
                        .hasMessage("Table c.d.t was dropped while a job was using it. Start the job again, so that"
                                + " it is planned for the table as it is now."));
            }
        }
    }

    @Test
    void aTableMadeAgainFailsProbes() throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            table.insert(2, "Bo", "Oslo");
            try (Probes probes = Probes.open(table.asSeenNow(), "city")) {
                table.drop();
                table.createAgain();
                table.insert(1, "Cy", "Oslo");
                await().untilAsserted(() -> assertThatThrownBy(() -> probes.get("Oslo"))
                        .hasMessageMatching("Table c.d.t was dropped (and created again )?while a job was using it.*"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "city"})
    void aColumnTheJobReadsMustStay(String key) throws Exception {
        try (EngineTable table = engineTable(keyedUsers())) {
            table.insert(1, "Al", "Oslo");
            try (Probes all = Probes.open(table.asSeenNow(), key);
                    Probes fewer = Probes.open(table.asSeenNow(), false, List.of("id", "city"), List.of(), key)) {
                Object probe = key.equals("id") ? 1 : "Oslo";
                table.alter(SchemaChange.addColumn("age", DataTypes.INT()));
                table.alter(SchemaChange.renameColumn("city", "town"));
                table.insert(1, "Al", "Oslo", 33);
                table.alter(SchemaChange.dropColumn("name"));
                table.insert(1, "Oslo", 34);
                await().untilAsserted(() -> assertThatThrownBy(() -> all.get(probe))
                        .hasMessageStartingWith("Table c.d.t lost its column 'name' while"));
                assertThat(fewer.get(probe)).containsExactly(List.of(1, "Oslo"));
            }
        }
    }

    @Test
    void aChangedColumnTypeFailsProbes() throws Exception {
        try (EngineTable table = engineTable(orders().option("bucket", "1").keyed("id"))) {
            table.insert("mon", 1, 1, 10);
            try (Probes probes = Probes.open(table.asSeenNow(), "id")) {
                table.alter(SchemaChange.updateColumnType("amount", DataTypes.BIGINT()));
                table.insert("mon", 1, 1, 10L);
                await().untilAsserted(() -> assertThatThrownBy(() -> probes.get(1))
                        .hasMessageStartingWith("Table c.d.t changed its column 'amount' from INT to BIGINT while"));
            }
        }
    }

    @Test
    void refusesWhatCannotBeCompared() throws Exception {
        Schema schema = new Columns()
                .column("id", DataTypes.INT())
                .column("tags", DataTypes.ARRAY(DataTypes.STRING()))
                .unkeyed();
        try (EngineTable table = engineTable(schema)) {
            assertThatThrownBy(() -> Probes.open(table.asSeenNow(), "tags"))
                    .hasMessage("Column 'tags' of table c.d.t has type ARRAY<STRING>, which a lookup join cannot"
                            + " compare. Join by columns of string, number, boolean, binary, date or time types.");
        }
    }
}
