/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tags the snapshots that a job's savepoints stand for, so that they do not expire. Used by the upkeep's thread only. */
final class SavepointTags {

    private static final Logger LOG = LoggerFactory.getLogger(SavepointTags.class);
    private static final String PREFIX = "savepoint-";

    private final StoreTable table;
    private final String commitUser;

    SavepointTags(StoreTable table, String commitUser) {
        this.table = table;
        this.commitUser = commitUser;
    }

    /** The job's newest snapshot at the savepoint, if it has one; a savepoint without new rows has that of before. */
    void create(long checkpointId) {
        FileStoreTable store = table.fileStore();
        SnapshotManager snapshots = store.snapshotManager();
        Optional<Snapshot> newest = snapshots.latestSnapshotOfUser(commitUser);
        while (newest.isPresent() && newest.get().commitIdentifier() > checkpointId) {
            newest = before(snapshots, newest.get().id());
        }
        String tag = PREFIX + checkpointId;
        if (newest.isEmpty()) {
            LOG.info("Savepoint {} gets no tag in table {}: this job has no snapshot there yet", checkpointId, table);
        } else if (!store.tagManager().tagExists(tag)) {
            store.createTag(tag, newest.get().id());
            LOG.info("Tagged snapshot {} of table {} as '{}'", newest.get().id(), table, tag);
        }
    }

    private Optional<Snapshot> before(SnapshotManager snapshots, long snapshotId) {
        Long earliest = snapshots.earliestSnapshotId();
        for (long id = snapshotId - 1; earliest != null && id >= earliest; id--) {
            Snapshot candidate = snapshots.snapshot(id);
            if (candidate.commitUser().equals(commitUser)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    void delete(long checkpointId) {
        String tag = PREFIX + checkpointId;
        if (table.fileStore().tagManager().tagExists(tag)) {
            table.fileStore().deleteTag(tag);
        }
    }
}
