/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.LogLines;
import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where rows come from by table, join key and options, and that the log says so. */
final class ViewChoiceTest {

    private static final int ID = 0;
    private static final int NAME = 1;
    private static final String SMALL = "lookup.cache-max-memory-size";

    @TempDir
    Path warehouse;

    private EngineTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = new EngineTable(
                warehouse,
                new Columns()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .option("bucket", "1")
                        .keyed("id"));
        table.write(row(1, "x".repeat(2000)));
    }

    @AfterEach
    void close() throws Exception {
        table.close();
    }

    private void assertChosen(Map<String, String> options, int key, boolean memory, String said) throws Exception {
        LookupSpec spec = new LookupSpec(
                table.asSeenNow(options),
                List.of(ID, NAME),
                List.of(key),
                List.of(),
                LookupSettings.from(Configuration.fromMap(options)));
        try (LogLines log = new LogLines(ViewChoice.class.getName());
                SharedView view = new ViewChoice(spec, warehouse).open(null)) {
            assertThat(view.view().answersFromMemory()).isEqualTo(memory);
            assertThat(log.of(Level.INFO))
                    .singleElement()
                    .asString()
                    .startsWith("Lookup join with c.d.t, cache mode ")
                    .contains(said);
        }
    }

    @Test
    void autoHoldsRowsThatFit() throws Exception {
        assertChosen(Map.of(), ID, true, "AUTO: its 1 matching rows are held in memory, because they take ");
    }

    @Test
    void autoFindsWholeKeysInFilesWhereRowsDoNotFit() throws Exception {
        assertChosen(
                Map.of(SMALL, "1 kb"),
                ID,
                false,
                "AUTO: each probe finds its primary key in local copies of the table's files, because its rows do not fit"
                        + " into the 1024 bytes of 'lookup.cache-max-memory-size'");
    }

    @Test
    void autoHoldsRowsWhereTheKeyDoesNotTellTheFile() throws Exception {
        assertChosen(
                Map.of(SMALL, "1 kb"),
                NAME,
                true,
                "AUTO: all of its matching rows are held in memory, beyond 1024 bytes in local files, because its files"
                        + " cannot be searched by the join key, since the join key lacks a column of the primary key");
    }

    @Test
    void fullAndMemoryDoAsTheySay() throws Exception {
        assertChosen(
                Map.of("lookup.cache", "FULL", SMALL, "16 kb"),
                ID,
                true,
                "FULL: its matching rows are held in local files, the first 1024 bytes of them in memory");
        assertChosen(
                Map.of("lookup.cache", "MEMORY", SMALL, "1 kb"),
                ID,
                true,
                "MEMORY: all of its matching rows are held in memory, because 'lookup.cache' says so");
    }
}
