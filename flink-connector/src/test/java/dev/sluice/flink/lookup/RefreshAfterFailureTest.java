/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a view reads once a refresh of it has failed. */
final class RefreshAfterFailureTest {

    @TempDir
    Path warehouse;

    private PartitionedTable table;
    private FailingStorage storage;
    private SharedView view;

    @BeforeEach
    void open() throws Exception {
        table = new PartitionedTable(warehouse);
        storage = table.storage();
        view = table.open(Map.of());
        assertThat(storage.filesRead()).hasSize(2);
    }

    @AfterEach
    void close() throws Exception {
        view.close();
        table.close();
    }

    @Test
    void onlyWhatChangedIsReadAgain() throws Exception {
        table.insert(1, 10, 5);
        for (int failure = 0; failure < 2; failure++) {
            storage.fail(0, 1);
            view.refresher().attempt();
            assertThat(value(10)).isZero();
        }
        assertThat(storage.failedData()).isEqualTo(2);
        storage.filesRead();
        view.refresher().attempt();
        assertThat(value(10)).isEqualTo(5);
        assertThat(storage.filesRead()).hasSize(2).allMatch(file -> file.contains("p=1"));
    }

    @Test
    void aViewThatFailedToPlanGoesOnWhereItWas() throws Exception {
        table.insert(1, 10, 5);
        storage.fail(1, 0);
        view.refresher().attempt();
        assertThat(storage.failedManifests()).isEqualTo(1);
        view.refresher().attempt();
        assertThat(value(10)).isEqualTo(5);
        assertThat(storage.filesRead()).allMatch(file -> file.contains("p=1"));
    }

    @Test
    void afterThreeFailuresAllIsReadAgain() throws Exception {
        table.insert(1, 10, 5);
        for (int failure = 0; failure < 3; failure++) {
            storage.fail(0, 1);
            view.refresher().attempt();
        }
        storage.filesRead();
        view.refresher().attempt();
        assertThat(value(10)).isEqualTo(5);
        assertThat(value(20)).isZero();
        assertThat(storage.filesRead()).hasSize(3);
    }

    private int value(int id) throws Exception {
        return PartitionedTable.value(view, id);
    }
}
