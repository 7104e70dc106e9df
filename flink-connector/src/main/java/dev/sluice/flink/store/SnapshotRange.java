/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.table.FileStoreTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says which snapshots a table has, for messages. */
final class SnapshotRange {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotRange.class);

    private SnapshotRange() {}

    /** Never fails: it is asked for when something else has. */
    static String of(StoreTable table) {
        if (!(table.table() instanceof FileStoreTable fileStore)) {
            return "no snapshots of its own";
        }
        try {
            Long earliest = fileStore.snapshotManager().earliestSnapshotId();
            Long latest = fileStore.snapshotManager().latestSnapshotId();
            return earliest == null || latest == null ? "no snapshot" : "snapshots " + earliest + " to " + latest;
        } catch (RuntimeException e) {
            LOG.debug("Snapshots of {} cannot be listed for a message", table, e);
            return "snapshots that cannot be listed either";
        }
    }
}
