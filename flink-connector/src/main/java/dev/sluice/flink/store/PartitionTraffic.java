/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;

/**
 * Deals the rows of each partition out to as many writers as its part of the rows is of all, as one sender sees them
 * lately: a partition with few rows keeps to one writer. Used by one thread.
 */
final class PartitionTraffic {

    /** Rows before which nobody knows what is much, so that partitions begin with one writer each. */
    private static final int UNKNOWN_ROWS = 10_000;

    /** After so many rows earlier ones count half, and partitions without rows since then are forgotten. */
    private static final long MEMORY = 1L << 20;

    private static final class Partition {
        private long rows;
        private int turn;
    }

    private final int writers;
    private final Map<BinaryRow, Partition> partitions = new HashMap<>();
    private long rows;

    /** @param writers that a partition may have at most, from 1 */
    PartitionTraffic(int writers) {
        this.writers = writers;
    }

    /**
     * @param partition of the next row; is not kept
     * @return which of the partition's writers takes the row, from 0
     */
    int next(BinaryRow partition) {
        Partition seen = partitions.get(partition);
        if (seen == null) {
            seen = new Partition();
            partitions.put(partition.copy(), seen);
        }
        seen.rows++;
        if (++rows == MEMORY) {
            forget();
        }
        // A turn below the partition's share of the writers, rounded up.
        int chosen = seen.turn * (rows + UNKNOWN_ROWS) < seen.rows * writers ? seen.turn : 0;
        seen.turn = chosen + 1;
        return chosen;
    }

    private void forget() {
        rows = 0;
        for (Partition partition : partitions.values()) {
            partition.rows /= 2;
            rows += partition.rows;
        }
        partitions.values().removeIf(partition -> partition.rows == 0);
    }
}
