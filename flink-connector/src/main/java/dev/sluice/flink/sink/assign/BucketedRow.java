/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.table.data.RowData;

/**
 * A row on its way to the writer of its bucket. The operator that assigns buckets sends the same object again and again,
 * always over the network, which takes its content at once.
 */
public final class BucketedRow {

    private int partitionHash;
    private int bucket;
    private RowData row;

    BucketedRow(int partitionHash, int bucket, RowData row) {
        this.partitionHash = partitionHash;
        this.bucket = bucket;
        this.row = row;
    }

    BucketedRow replace(int newPartitionHash, int newBucket, RowData newRow) {
        partitionHash = newPartitionHash;
        bucket = newBucket;
        row = newRow;
        return this;
    }

    /** Where the buckets of the row's partition begin among the writers. */
    int partitionHash() {
        return partitionHash;
    }

    /** The bucket; on the way to an operator that assigns buckets, the hash of the key. */
    public int bucket() {
        return bucket;
    }

    /**
     * Tells the buckets of one subtask apart: what {@code BucketPartitioner} takes the remainder of, to find the subtask,
     * is divided here.
     *
     * @param subtasks how many the rows were spread over
     * @return 0 or more; the same for all rows of a bucket, and even for buckets of a partition and for partitions
     */
    public int place(int subtasks) {
        return place(partitionHash, bucket, subtasks);
    }

    /** As the other one, of all rows of a bucket. */
    public static int place(int partitionHash, int bucket, int subtasks) {
        int inSubtask = Math.floorDiv(Math.floorMod(partitionHash, subtasks) + bucket, subtasks);
        return (inSubtask + Math.floorDiv(partitionHash, subtasks)) & Integer.MAX_VALUE;
    }

    public RowData row() {
        return row;
    }
}
