/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.io.DataFileMeta;

/** A data file of a primary-key table: the newest row or deletion of each of its keys, sorted by key. Immutable. */
public final class SortedFile {

    private final Slice slice;
    private final DataFileMeta meta;

    SortedFile(Slice slice, DataFileMeta meta) {
        this.slice = slice;
        this.meta = meta;
    }

    /** Unique among all files of the table's life. */
    public String name() {
        return meta.fileName();
    }

    public Slice slice() {
        return slice;
    }

    /** How many keys it has, deleted ones included. */
    public long rows() {
        return meta.rowCount();
    }

    DataFileMeta meta() {
        return meta;
    }
}
