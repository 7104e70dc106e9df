/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.InternalRowPartitionComputer;
import org.apache.paimon.utils.SnapshotManager;
import org.jspecify.annotations.Nullable;

/**
 * What all rows of a split have in common; null for what its table does not have.
 *
 * @param commitMillis when the snapshot was committed, in milliseconds since 1970-01-01 UTC; null once it has expired
 */
public record SplitMetadata(
        @Nullable String partition,
        @Nullable Integer bucket,
        @Nullable Long snapshotId,
        @Nullable Long commitMillis) {

    private static final SplitMetadata NONE = new SplitMetadata(null, null, null, null);

    static SplitMetadata of(StoreTable table, Split split) {
        if (!(table.table() instanceof FileStoreTable store)) {
            return NONE;
        }
        if (split instanceof DataSplit data) {
            return of(store, data.partition(), data.bucket(), data.snapshotId());
        }
        if (split instanceof IncrementalSplit incremental) {
            return of(store, incremental.partition(), incremental.bucket(), incremental.snapshotId());
        }
        return NONE;
    }

    private static SplitMetadata of(FileStoreTable store, BinaryRow partition, int bucket, long snapshotId) {
        return new SplitMetadata(
                store.partitionKeys().isEmpty() ? null : folder(store, partition),
                bucket,
                snapshotId,
                committed(store, snapshotId));
    }

    static String folder(FileStoreTable store, BinaryRow partition) {
        CoreOptions options = store.coreOptions();
        Map<String, String> values = new InternalRowPartitionComputer(
                        options.partitionDefaultName(),
                        store.schema().logicalPartitionType(),
                        store.partitionKeys().toArray(String[]::new),
                        options.legacyPartitionName())
                .generatePartValues(partition);
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("/"));
    }

    private static @Nullable Long committed(FileStoreTable store, long snapshotId) {
        SnapshotManager snapshots = store.snapshotManager();
        if (snapshots.snapshotExists(snapshotId)) {
            return snapshots.snapshot(snapshotId).timeMillis();
        }
        if (store.changelogManager().longLivedChangelogExists(snapshotId)) {
            return store.changelogManager().longLivedChangelog(snapshotId).timeMillis();
        }
        return store.tagManager().tags().keySet().stream()
                .filter(snapshot -> snapshot.id() == snapshotId)
                .map(Snapshot::timeMillis)
                .findFirst()
                .orElse(null);
    }
}
