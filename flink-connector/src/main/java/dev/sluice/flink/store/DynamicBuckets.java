/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.casting.DefaultValueRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.index.BucketAssigner;
import org.apache.paimon.index.HashBucketAssigner;
import org.apache.paimon.index.SimpleHashBucketAssigner;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.RowPartitionKeyExtractor;
import org.jspecify.annotations.Nullable;

/**
 * Gives each key of a table in dynamic bucket mode its bucket: the one that the table's hash index has for it, or one
 * with room. One of several assigners, each of which owns some of the keys and some of the buckets. Used by one thread.
 */
public final class DynamicBuckets {

    private static final String INDEX_ADVICE =
            "Check that every task manager can read under the table's path. If an index"
                    + " file is damaged, rewrite the partition with INSERT OVERWRITE.";

    private final StoreTable table;
    private final BucketAssigner assigner;
    private final RowPartitionKeyExtractor keys;
    private final @Nullable DefaultValueRow withDefaults;

    private DynamicBuckets(StoreTable table, BucketAssigner assigner) {
        FileStoreTable store = table.fileStore();
        this.table = table;
        this.assigner = assigner;
        this.keys = new RowPartitionKeyExtractor(store.schema());
        this.withDefaults = DefaultValueRow.create(store.rowType());
    }

    /**
     * @param commitUser the committer's, by whose snapshots the assigner knows which of its choices are in the index
     * @param overwrite whether the existing rows are about to be replaced, so that their index is not read
     */
    public static DynamicBuckets open(
            StoreTable table, String commitUser, int subtask, int subtasks, boolean overwrite) {
        FileStoreTable store = table.fileStore();
        CoreOptions options = store.coreOptions();
        long targetRows = options.dynamicBucketTargetRowNum();
        int mostBuckets = options.dynamicBucketMaxBuckets();
        int assigners = Math.min(mostAssigners(table), subtasks);
        BucketAssigner assigner = overwrite
                ? new SimpleHashBucketAssigner(assigners, subtask, targetRows, mostBuckets)
                : new HashBucketAssigner(
                        store.snapshotManager(),
                        commitUser,
                        store.store().newIndexFileHandler(),
                        subtasks,
                        assigners,
                        subtask,
                        targetRows,
                        mostBuckets);
        return new DynamicBuckets(table, assigner);
    }

    /**
     * How many assigners at most take keys of one partition: each begins buckets of its own, so there are never more than
     * the buckets the table may have.
     */
    public static int mostAssigners(StoreTable table) {
        CoreOptions options = table.fileStore().coreOptions();
        int most = Integer.MAX_VALUE;
        Integer initial = options.dynamicBucketInitialBuckets();
        if (initial != null) {
            most = initial;
        }
        int mostBuckets = options.dynamicBucketMaxBuckets();
        return mostBuckets > 0 ? Math.min(most, mostBuckets) : most;
    }

    /** How many assigner subtasks the table's option asks for. */
    public static Optional<Integer> assignerParallelism(StoreTable table) {
        return Optional.ofNullable(table.fileStore().coreOptions().dynamicBucketAssignerParallelism());
    }

    /** The subtask that owns a key, if at most {@code mostAssigners} of {@code subtasks} share a partition. */
    public static int owner(int partitionHash, int keyHash, int subtasks, int mostAssigners) {
        return BucketAssigner.computeAssigner(partitionHash, keyHash, subtasks, Math.min(mostAssigners, subtasks));
    }

    /**
     * @param keyHash of the row, as {@link BucketRouter.Goal#KEY_HASH}
     * @throws WriteFailedException if the index cannot be read
     */
    public int assign(InternalRow row, int keyHash) throws WriteFailedException {
        InternalRow whole = withDefaults == null ? row : withDefaults.replaceRow(row);
        try {
            return assigner.assign(keys.partition(whole), keyHash);
        } catch (RuntimeException e) {
            throw WriteFailedException.during("Finding the bucket of a row", table, e, INDEX_ADVICE);
        }
    }

    /** Forgets the index of partitions that have had no rows lately, once all of it is committed. */
    public void checkpoint(long checkpointId) throws WriteFailedException {
        try {
            assigner.prepareCommit(checkpointId);
        } catch (RuntimeException e) {
            throw WriteFailedException.during(
                    "Looking for the snapshots before checkpoint " + checkpointId, table, e, INDEX_ADVICE);
        }
    }
}
