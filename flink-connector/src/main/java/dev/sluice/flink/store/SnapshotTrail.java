/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;
import org.jspecify.annotations.Nullable;

/** Where a view is in its table's history, and the way from there to the newest snapshot. Used by one thread at a time. */
final class SnapshotTrail {

    /** So often the way from one snapshot is tried; then the view is loaded anew, in case it is the way that is broken. */
    static final int TRIES_FROM_A_SNAPSHOT = 3;

    private final FileStoreTable store;
    private final SchemaGuard guard;

    /** So many snapshots behind, the view is loaded anew; null for never. */
    private final @Nullable Integer fullLoadThreshold;

    private @Nullable Snapshot followed;

    /** Whether the view is exactly at {@link #followed}, which is null for a table without snapshots. */
    private boolean certain;

    /** Steps handed out since the last one that was followed. */
    private int tries;

    /** @param columns positions in the table's row type of the columns the view reads */
    SnapshotTrail(StoreTable table, int[] columns) {
        this(table, columns, null);
    }

    SnapshotTrail(StoreTable table, int[] columns, @Nullable Integer fullLoadThreshold) {
        this.fullLoadThreshold = fullLoadThreshold;
        this.store = table.fileStore();
        this.guard = new SchemaGuard(table, columns);
    }

    /**
     * @param from where the view is; null if it must be loaded anew
     * @param since the snapshots after it, oldest first, latest included; empty if it must be loaded anew
     * @param latest where it is going; null if the table has no snapshot
     */
    record Step(
            @Nullable Snapshot from,
            List<Snapshot> since,
            @Nullable Snapshot latest) {}

    /**
     * A step that was not followed is planned again, from the same snapshot.
     *
     * @return null if the view is at the newest snapshot
     */
    @Nullable
    Step next() throws IOException {
        Snapshot latest = store.snapshotManager().latestSnapshot();
        if (latest == null) {
            guard.checkSameTable();
        }
        if (certain && Objects.equals(latest, followed)) {
            return null;
        }
        boolean onTheWay = certain && ++tries <= TRIES_FROM_A_SNAPSHOT;
        List<Snapshot> since = onTheWay && followed != null && latest != null ? since(followed, latest) : List.of();
        if (since.isEmpty()) {
            guard.checkSameTable();
        }
        if (latest != null) {
            guard.check(latest.schemaId());
        }
        return new Step(since.isEmpty() ? null : followed, since, latest);
    }

    /** The view is to be loaded anew by the next step, be there a newer snapshot or not. */
    void forget() {
        certain = false;
    }

    void followed(Step step) {
        followed = step.latest();
        certain = true;
        tries = 0;
    }

    /** Empty after a rollback, for a table made again, and once a snapshot on the way has expired. */
    private List<Snapshot> since(Snapshot from, Snapshot latest) throws IOException {
        if (latest.id() <= from.id() || !from.equals(stored(from.id()))) {
            return List.of();
        }
        if (fullLoadThreshold != null && latest.id() - from.id() >= fullLoadThreshold) {
            return List.of();
        }
        List<Snapshot> since = new ArrayList<>();
        for (long id = from.id() + 1; id < latest.id(); id++) {
            Snapshot snapshot = stored(id);
            if (snapshot == null) {
                return List.of();
            }
            since.add(snapshot);
        }
        since.add(latest);
        return since;
    }

    /** Not through the manager's cache: a rollback may have put another snapshot under this id. */
    private @Nullable Snapshot stored(long snapshotId) {
        SnapshotManager snapshots = store.snapshotManager();
        try {
            return SnapshotManager.tryFromPath(snapshots.fileIO(), snapshots.snapshotPath(snapshotId));
        } catch (FileNotFoundException expired) {
            return null;
        }
    }
}
