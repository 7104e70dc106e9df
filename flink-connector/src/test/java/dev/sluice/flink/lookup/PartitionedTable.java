/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;

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

/**
 * A table with keys 10 and 20 in partitions 1 and 2, and views of it by key that are refreshed only when a test says so,
 * from a storage that tells which files were read.
 */
final class PartitionedTable implements AutoCloseable {

    private final Path warehouse;
    private final EngineTable table;
    private final FailingStorage storage = new FailingStorage();

    PartitionedTable(Path warehouse) throws Exception {
        this.warehouse = warehouse;
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

    FailingStorage storage() {
        return storage;
    }

    void insert(int partition, int id, int value) throws Exception {
        table.insert(partition, id, value);
    }

    SharedView open(Map<String, String> more) throws Exception {
        Configuration options = Configuration.fromMap(more);
        options.setString("lookup.continuous.discovery-interval", "1 h");
        LookupSpec spec = new LookupSpec(
                table.asSeenThrough(storage, options.toMap()),
                List.of(0, 1, 2),
                List.of(1),
                List.of(),
                LookupSettings.from(options));
        return new ViewChoice(spec, warehouse).open(null);
    }

    static int value(SharedView view, int id) throws Exception {
        BinaryRowData key = Objects.requireNonNull(
                new KeyEncoder(List.of(new IntType()), List.of(0)).encode(GenericRowData.of(id)));
        return view.view().get(key).iterator().next().getInt(2);
    }

    @Override
    public void close() throws Exception {
        table.close();
    }
}
