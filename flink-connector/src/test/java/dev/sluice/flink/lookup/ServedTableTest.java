/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.store.QueryService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table whose query service runs: the engine's own server, asked over the network. */
final class ServedTableTest {

    @TempDir
    Path warehouse;

    private EngineTable newTable() throws Exception {
        EngineTable table = new EngineTable(
                warehouse,
                new Columns()
                        .column("day", DataTypes.STRING())
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .option("bucket", "3")
                        .partitionedBy("day")
                        .keyed("day", "id"));
        table.write(row("mon", 1, "Al"), row("mon", 2, "Bo"), row("tue", 1, "Cy"));
        return table;
    }

    @Test
    void aServiceThatIsGoneIsNotWaitedForForever() throws Exception {
        try (EngineTable table = newTable()) {
            EngineTable.Service service = table.serve();
            try (QueryService asked = QueryService.connect(
                    table.asSeenNow(), new int[] {0, 1, 2}, List.of(), List.of(0, 1), Duration.ofSeconds(2))) {
                assertThat(asked.get(row("tue", 1))).isNotNull();
                service.close();
                assertThatThrownBy(() -> asked.get(row("mon", 2)))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("The query service of table c.d.t gave no answer: ")
                        .hasMessageEndingWith("it then reads the table itself.");
            }
        }
    }

    @Test
    void wholeKeysAreAskedOfTheService() throws Exception {
        try (EngineTable table = newTable()) {
            try (EngineTable.Service unused = table.serve();
                    Probes byKey = Probes.open(table.asSeenNow(), "id", "day");
                    Probes byPart = Probes.open(table.asSeenNow(), "id");
                    Probes full = Probes.open(table.asSeenNow(Map.of("lookup.cache", "full")), "id", "day")) {
                assertThat(byKey.get(1, "mon")).containsExactly(List.of("mon", 1, "Al"));
                assertThat(byKey.get(2, "mon")).containsExactly(List.of("mon", 2, "Bo"));
                assertThat(byKey.get(1, "tue")).containsExactly(List.of("tue", 1, "Cy"));
                assertThat(byKey.get(3, "mon")).isEmpty();
                assertThat(byKey.get(1, "wed")).isEmpty();
                assertThat(byPart.get(1)).hasSize(2);
                assertThat(full.get(1, "tue")).containsExactly(List.of("tue", 1, "Cy"));
            }
        }
    }
}
