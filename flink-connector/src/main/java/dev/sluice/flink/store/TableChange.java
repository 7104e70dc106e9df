/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.paimon.data.InternalRow;

/**
 * What a view must do to get from the snapshot it shows to a newer one: forget the rows of some slices, then add the
 * rows that {@link Rows#read} hands out. Rows of a slice that is neither rewritten nor part of a whole change come on
 * top of those the view has.
 *
 * @param snapshotId the snapshot the view shows afterwards; 0 for a table without any
 * @param commitMillis when that snapshot was committed, since the epoch
 * @param whole whether every slice is rewritten, also those that no longer have rows
 * @param otherPartitions whether the view shows another choice of partitions from here on
 * @param rewritten the slices rewritten if not all are
 */
public record TableChange(
        long snapshotId, long commitMillis, boolean whole, boolean otherPartitions, Set<Slice> rewritten, Rows rows) {

    /** Merged rows, filtered, with the columns the follower was asked for. */
    @FunctionalInterface
    public interface Rows {
        void read(RowSink sink) throws IOException;

        /** The same rows in parts, each to be read by one thread, several at once. */
        default List<Rows> parts() throws IOException {
            return List.of(this);
        }
    }

    /** Takes one row at a time; the row is reused, so what is kept must be copied. */
    @FunctionalInterface
    public interface RowSink {
        void accept(Slice slice, InternalRow row);
    }
}
