/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a view reads once a refresh of it has failed. */
final class RefreshAfterFailureTest {

    private static final Map<String, String> OPTIONS = Map.of("lookup.continuous.discovery-interval", "1 h");

    @TempDir
    Path warehouse;

    private final FailingStorage storage = new FailingStorage();
    private EngineTable table;
    private SharedView view;

    @BeforeEach
    void open() throws Exception {
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
        LookupSpec spec = new LookupSpec(
                table.asSeenThrough(storage, OPTIONS),
                List.of(0, 1, 2),
                List.of(1),
                List.of(),
                LookupSettings.from(Configuration.fromMap(OPTIONS)));
        view = new ViewChoice(spec, warehouse).open(null);
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
        BinaryRowData key = Objects.requireNonNull(
                new KeyEncoder(List.of(new IntType()), List.of(0)).encode(GenericRowData.of(id)));
        return view.view().get(key).iterator().next().getInt(2);
    }
}
