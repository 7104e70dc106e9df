/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the options which bound refreshes reach them, seen by what is read. */
final class RefreshOptionsTest {

    @TempDir
    Path warehouse;

    private final FailingStorage storage = new FailingStorage();
    private EngineTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = new EngineTable(
                warehouse,
                new Columns()
                        .column("p", DataTypes.INT())
                        .column("id", DataTypes.INT())
                        .column("v", DataTypes.INT())
                        .option("bucket", "1")
                        .partitionedBy("p")
                        .keyed("p", "id"));
        table.write(row(1, 10, 0), row(2, 20, 0));
    }

    @AfterEach
    void close() throws Exception {
        table.close();
    }

    private SharedView open(Map<String, String> more) throws Exception {
        Configuration options = Configuration.fromMap(more);
        options.setString("lookup.continuous.discovery-interval", "1 h");
        LookupSpec spec = new LookupSpec(
                table.asSeenThrough(storage, options.toMap()),
                List.of(0, 1, 2),
                List.of(1),
                List.of(),
                LookupSettings.from(options));
        SharedView view = new ViewChoice(spec, warehouse).open(null);
        storage.filesRead();
        return view;
    }

    @Test
    void fromTheThresholdOnAllIsLoadedAnew() throws Exception {
        try (SharedView view = open(Map.of("lookup.refresh.full-load-threshold", "3"))) {
            commitTo(1, 2);
            view.refresher().attempt();
            assertThat(storage.filesRead()).isNotEmpty().allMatch(file -> file.contains("p=1"));
            commitTo(1, 3);
            view.refresher().attempt();
            assertThat(storage.filesRead())
                    .anyMatch(file -> file.contains("p=2"))
                    .anyMatch(file -> file.contains("p=1"));
        }
    }

    private void commitTo(int partition, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            table.insert(partition, 10, i);
        }
    }

    @Test
    void nothingIsReadInABlackPeriod() throws Exception {
        try (SharedView view =
                open(Map.of("lookup.refresh.time-periods-blacklist", "2000-01-01 00:00->9999-12-31 00:00"))) {
            commitTo(1, 1);
            assertThat(view.refresher().attempt()).isGreaterThan(Duration.ofDays(10_000));
            assertThat(storage.filesRead()).isEmpty();
            assertThat(view.refresher().watch().followedSnapshot()).isEqualTo(1);
        }
    }
}
