/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.FallbackReadFileStoreTable.FallbackSplitImpl;
import org.apache.paimon.table.source.ChainSplit;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;

/**
 * Where a split comes from.
 *
 * @param snapshotId the snapshot that holds it, or {@link #NO_SNAPSHOT}
 * @param bucket the same number for splits of the same bucket in the same partition; neighbouring buckets of one
 *     partition have neighbouring numbers, so that a remainder spreads them evenly
 */
public record SplitOrigin(long snapshotId, int bucket) {

    /** For tables without snapshots. */
    public static final long NO_SNAPSHOT = 0;

    public static SplitOrigin of(Split split) {
        if (split instanceof DataSplit data) {
            return new SplitOrigin(data.snapshotId(), bucket(data.partition(), data.bucket()));
        }
        if (split instanceof IncrementalSplit incremental) {
            return new SplitOrigin(incremental.snapshotId(), bucket(incremental.partition(), incremental.bucket()));
        }
        if (split instanceof ChainSplit chain) {
            return new SplitOrigin(NO_SNAPSHOT, bucket(chain.logicalPartition(), 0));
        }
        if (split instanceof QueryAuthSplit guarded) {
            return of(guarded.split());
        }
        if (split instanceof FallbackSplitImpl fallback) {
            return of(fallback.wrapped());
        }
        return new SplitOrigin(NO_SNAPSHOT, 0);
    }

    private static int bucket(BinaryRow partition, int bucket) {
        return partition.hashCode() + bucket;
    }
}
