/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;

/** The table that is probed: 8 columns, 4 buckets, rows in order of their keys, which are the even numbers. */
final class LookupTable {

    private LookupTable() {}

    static void make(Path folder, long rows) throws Exception {
        Schema.Builder schema = Schema.newBuilder().column("id", DataTypes.BIGINT());
        for (int i = 1; i < 8; i++) {
            schema.column("c" + i, i % 2 == 1 ? DataTypes.STRING() : DataTypes.BIGINT());
        }
        new SchemaManager(LocalFileIO.create(), folder)
                .createTable(schema.primaryKey("id").option("bucket", "4").build());
        FileStoreTable table = FileStoreTableFactory.create(LocalFileIO.create(), folder);
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (IOManager io = IOManager.create(System.getProperty("java.io.tmpdir"));
                BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withIOManager(io);
            SplittableRandom random = new SplittableRandom(3);
            for (long id = 0; id < rows; id++) {
                GenericRow row = new GenericRow(8);
                // Keys are spread, so that every other number in their range is none.
                row.setField(0, id * 2);
                for (int i = 1; i < 8; i++) {
                    row.setField(
                            i,
                            i % 2 == 1
                                    ? BinaryString.fromString("value-" + random.nextInt(1_000_000))
                                    : (Object) random.nextLong());
                }
                write.write(row);
            }
            commit.commit(write.prepareCommit());
        }
    }

    /** Reads all rows once, keeping none. */
    static void read(FileStoreTable table, int[] columns) throws IOException {
        ReadBuilder builder = table.newReadBuilder().withProjection(columns);
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> {});
        }
    }

    /** Keys to probe, the same for each side. */
    static LongSupplier keys(String load, long rows) {
        SplittableRandom random = new SplittableRandom(7);
        return switch (load) {
            case "hot" ->
                () -> 2 * (random.nextInt(10) < 9 ? random.nextLong(1000) * (rows / 1000) : random.nextLong(rows));
            case "missing" -> () -> random.nextLong(2 * rows);
            default -> () -> 2 * random.nextLong(rows);
        };
    }
}
