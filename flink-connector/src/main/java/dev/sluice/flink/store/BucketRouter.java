/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.sink.ChannelComputer;
import org.apache.paimon.table.sink.RowKeyExtractor;

/**
 * Says which of several writers a row belongs to, so that all rows of one bucket meet in one writer and the buckets of
 * one partition spread evenly. Not thread-safe: it keeps the row it looks at.
 */
public final class BucketRouter {

    private final RowKeyExtractor keys;

    public BucketRouter(StoreTable table) {
        this.keys = table.fileStore().createRowKeyExtractor();
    }

    /** @return a number from 0 to {@code writers - 1}, the same for all rows of a partition's bucket */
    public int writer(InternalRow row, int writers) {
        keys.setRecord(row);
        return ChannelComputer.select(keys.partition(), keys.bucket(), writers);
    }
}
