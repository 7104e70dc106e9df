/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the options which bound refreshes reach them, seen by what is read. */
final class RefreshOptionsTest {

    @TempDir
    Path warehouse;

    private PartitionedTable table;
    private FailingStorage storage;

    @BeforeEach
    void createTable() throws Exception {
        table = new PartitionedTable(warehouse);
        storage = table.storage();
    }

    @AfterEach
    void close() throws Exception {
        table.close();
    }

    private SharedView open(Map<String, String> options) throws Exception {
        SharedView view = table.open(options);
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
