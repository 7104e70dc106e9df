/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.casting.DefaultValueRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.jspecify.annotations.Nullable;

/** Says where rows of a table with a fixed number of buckets belong. Not thread-safe: it keeps the row it looks at. */
public final class BucketRouter {

    private final RowKeyExtractor keys;
    private final @Nullable DefaultValueRow withDefaults;

    public BucketRouter(StoreTable table) {
        FileStoreTable store = table.fileStore();
        this.keys = store.createRowKeyExtractor();
        this.withDefaults = DefaultValueRow.create(store.rowType());
    }

    /** The engine puts in default values before it looks at keys, so they count here, too. */
    public void look(InternalRow row) {
        keys.setRecord(withDefaults == null ? row : withDefaults.replaceRow(row));
    }

    /** @return a number that is the same for all rows of a partition */
    public int partitionHash() {
        return keys.partition().hashCode();
    }

    public int bucket() {
        return keys.bucket();
    }

    /**
     * All rows of one bucket meet in one writer, and the buckets of one partition spread evenly.
     *
     * @return a number from 0 to {@code writers - 1}
     */
    public static int writer(int partitionHash, int bucket, int writers) {
        return (Math.floorMod(partitionHash, writers) + bucket) % writers;
    }
}
