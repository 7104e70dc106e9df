/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import org.apache.paimon.crosspartition.IndexBootstrap;
import org.apache.paimon.crosspartition.KeyPartPartitionKeyExtractor;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SerializationUtils;

/**
 * Reads where the keys of a table are, for {@link KeyIndex}. One of several readers, each of which reads some of the
 * buckets. Used by one thread; the engine reads on threads of its own.
 */
public final class KeyIndexReader {

    /** Takes the entries one by one. */
    @FunctionalInterface
    public interface Taker {
        /**
         * @param keyHash as {@link BucketRouter.Goal#GLOBAL_KEY_HASH}
         * @param entry key, partition and bucket, for {@link KeyIndex#add}
         */
        void take(int keyHash, byte[] entry) throws IOException;
    }

    private KeyIndexReader() {}

    /** @throws WriteFailedException if the table cannot be read */
    public static void readAll(StoreTable table, int subtask, int subtasks, Taker taker) throws WriteFailedException {
        FileStoreTable store = table.fileStore();
        KeyPartPartitionKeyExtractor keys = new KeyPartPartitionKeyExtractor(store.schema());
        InternalRowSerializer serializer = new InternalRowSerializer(IndexBootstrap.bootstrapType(store.schema()));
        try (RecordReader<InternalRow> reader = new IndexBootstrap(store).bootstrap(subtasks, subtask)) {
            RecordReader.RecordIterator<InternalRow> batch;
            while ((batch = reader.readBatch()) != null) {
                InternalRow row;
                while ((row = batch.next()) != null) {
                    taker.take(
                            keys.trimmedPrimaryKey(row).hashCode(),
                            SerializationUtils.serializeBinaryRow(serializer.toBinaryRow(row)));
                }
                batch.releaseBatch();
            }
        } catch (IOException | RuntimeException e) {
            throw WriteFailedException.during(
                    "Reading the keys of the existing rows",
                    table,
                    e,
                    "Check that every task manager can read under the table's path, then restart the job.");
        }
    }
}
