/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;

/**
 * Which buckets one of several subtasks answers for, if each probe is sent to a subtask that has its bucket. With fewer
 * buckets than subtasks several subtasks have the same one.
 *
 * @param buckets how many buckets the table is declared to have
 * @param parts how many different shares there are
 * @param part which of them this is
 */
public record BucketShare(int buckets, int parts, int part) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The share of a subtask. */
    public static BucketShare of(int buckets, int subtasks, int subtask) {
        int parts = Math.min(buckets, subtasks);
        return new BucketShare(buckets, parts, subtask % parts);
    }

    /**
     * @param hash of the key, to spread the keys of a bucket that several subtasks have
     * @return the subtask that a key of the bucket goes to
     */
    public static int subtask(int bucket, int buckets, int subtasks, int hash) {
        int parts = Math.min(buckets, subtasks);
        int part = bucket % parts;
        int withThisPart = (subtasks - part + parts - 1) / parts;
        return part + parts * Math.floorMod(hash, withThisPart);
    }

    boolean has(int bucket) {
        return bucket % parts == part;
    }

    /** A partition that was written with another number of buckets is needed by all: its buckets mean other keys. */
    boolean needs(Split split) {
        if (!(split instanceof DataSplit data)) {
            return true;
        }
        Integer total = data.totalBuckets();
        return (total != null && total != buckets) || has(data.bucket());
    }
}
