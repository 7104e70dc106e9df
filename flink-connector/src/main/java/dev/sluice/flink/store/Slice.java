/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.data.BinaryRow;

/**
 * One bucket of one partition: the smallest part of a table whose rows can be read, merged, without looking at another.
 *
 * @param partition the partition's values; not reused by anyone, so it may be kept
 */
public record Slice(BinaryRow partition, int bucket) {

    /** Stands for all rows where a plan does not tell buckets apart; such a plan always covers the whole table. */
    static final Slice UNDIVIDED = new Slice(BinaryRow.EMPTY_ROW, Integer.MIN_VALUE);
}
