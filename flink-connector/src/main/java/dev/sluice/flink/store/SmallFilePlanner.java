/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.append.AppendCompactCoordinator;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.AppendCompactTaskSerializer;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Follows the snapshots of a table without buckets and finds small files that are worth merging. Remembers in memory which
 * it has handed out; a new one begins with all files of the newest snapshot. Used by one thread.
 */
public final class SmallFilePlanner {

    private final StoreTable table;
    private AppendCompactCoordinator coordinator;
    private long seen = -1;

    public SmallFilePlanner(StoreTable table) {
        this.table = table;
        this.coordinator = new AppendCompactCoordinator(table.fileStore(), true);
    }

    /** Whether a job that adds to the table merges its small files beside that. */
    public static boolean wanted(StoreTable table) {
        FileStoreTable store = table.fileStore();
        CoreOptions options = store.coreOptions();
        return store.bucketMode() == BucketMode.BUCKET_UNAWARE
                && !options.writeOnly()
                && !options.dataEvolutionEnabled()
                && !options.clusteringIncrementalEnabled();
    }

    /** @return files to merge, for {@link SmallFileRewriter}; empty if there is nothing worth it up to the newest snapshot */
    public List<byte[]> plan() throws IOException {
        SnapshotManager snapshots = table.fileStore().snapshotManager();
        Long latest = snapshots.latestSnapshotId();
        if (latest == null || latest == seen) {
            return List.of();
        }
        Long earliest = snapshots.earliestSnapshotId();
        // The engine's coordinator would wait for a snapshot that has expired, or that a rollback took away.
        if (seen >= 0 && (latest < seen || (earliest != null && earliest > seen + 1))) {
            startOver();
        }
        AppendCompactTaskSerializer serializer = new AppendCompactTaskSerializer();
        List<byte[]> tasks = new ArrayList<>();
        for (AppendCompactTask task : coordinator.run()) {
            tasks.add(serializer.serialize(task));
        }
        seen = latest;
        return tasks;
    }

    /** Forgets what was handed out, so that what is still small is planned anew. */
    public void startOver() {
        coordinator = new AppendCompactCoordinator(table.fileStore(), true);
        seen = -1;
    }
}
