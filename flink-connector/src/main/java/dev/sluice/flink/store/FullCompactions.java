/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ChangelogProducer;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.DataSplit;
import org.jspecify.annotations.Nullable;

/**
 * Which buckets a writer has to compact fully, and when: those written since the last time, with every so many commits. A
 * changelog that is made by full compactions appears with these commits. Used by the writer's thread.
 */
@SuppressWarnings("deprecation") // Tables that have the deprecated key are understood.
public final class FullCompactions {

    private final int everyCommits;
    private final Map<BinaryRow, Set<Integer>> owed = new HashMap<>();

    private FullCompactions(int everyCommits) {
        this.everyCommits = everyCommits;
    }

    /** Whether writers of the table schedule full compactions; those of postponed buckets and write-only tables do not. */
    public static boolean scheduled(StoreTable table) {
        return table.kind() == StoreTable.Kind.PRIMARY_KEY && scheduled(table.fileStore());
    }

    private static boolean scheduled(FileStoreTable store) {
        CoreOptions options = store.coreOptions();
        Options keys = options.toConfiguration();
        boolean asked = options.changelogProducer() == ChangelogProducer.FULL_COMPACTION
                || keys.contains(CoreOptions.FULL_COMPACTION_DELTA_COMMITS)
                || keys.contains(FlinkConnectorOptions.CHANGELOG_PRODUCER_FULL_COMPACTION_TRIGGER_INTERVAL);
        return asked
                && !store.primaryKeys().isEmpty()
                && !options.writeOnly()
                && store.bucketMode() != BucketMode.POSTPONE_MODE;
    }

    /** @return null if the table's writers schedule none */
    static @Nullable FullCompactions of(FileStoreTable store) {
        return scheduled(store)
                ? new FullCompactions(store.coreOptions()
                        .toConfiguration()
                        .getOptional(CoreOptions.FULL_COMPACTION_DELTA_COMMITS)
                        .orElse(1))
                : null;
    }

    /** @throws ValidationException if the number of commits is none */
    static void check(StoreTable table) {
        Options options = table.fileStore().coreOptions().toConfiguration();
        Integer commits = options.get(CoreOptions.FULL_COMPACTION_DELTA_COMMITS);
        if (commits != null && commits < 1) {
            throw new ValidationException(
                    "'" + CoreOptions.FULL_COMPACTION_DELTA_COMMITS.key() + "' is " + commits + " for table " + table
                            + "; accepted is a whole number from 1, the commits between full compactions.");
        }
    }

    /**
     * The table with its interval between full compactions told in commits; the same table if it has none or its commits
     * are told.
     *
     * @param checkpointMillis time between a streaming job's commits; 0 or less for a job that commits once
     */
    public static StoreTable intervalInCommits(StoreTable table, long checkpointMillis) {
        if (!scheduled(table) || checkpointMillis <= 0) {
            return table;
        }
        Options options = table.fileStore().coreOptions().toConfiguration();
        if (options.contains(CoreOptions.FULL_COMPACTION_DELTA_COMMITS)
                || !options.contains(FlinkConnectorOptions.CHANGELOG_PRODUCER_FULL_COMPACTION_TRIGGER_INTERVAL)) {
            return table;
        }
        long interval = options.get(FlinkConnectorOptions.CHANGELOG_PRODUCER_FULL_COMPACTION_TRIGGER_INTERVAL)
                .toMillis();
        long commits = Math.min(Integer.MAX_VALUE, Math.max(1, interval / checkpointMillis));
        return StoreTable.of(
                table.name(),
                table.fileStore()
                        .copy(Map.of(CoreOptions.FULL_COMPACTION_DELTA_COMMITS.key(), String.valueOf(commits))));
    }

    /**
     * The buckets that are not fully compacted as the table is now. A restored job takes them for those that it owes a
     * compaction: the table knows it better than a checkpoint.
     */
    public static List<Slice> owed(StoreTable table) {
        FileStoreTable store = table.fileStore();
        int top = store.coreOptions().numLevels() - 1;
        Set<Slice> slices = new HashSet<>();
        for (DataSplit split : store.newSnapshotReader().read().dataSplits()) {
            for (DataFileMeta file : split.dataFiles()) {
                if (file.level() < top) {
                    slices.add(new Slice(split.partition(), split.bucket()));
                }
            }
        }
        return new ArrayList<>(slices);
    }

    /** @param partition is copied if it is to be kept */
    void note(BinaryRow partition, int bucket) {
        Set<Integer> buckets = owed.get(partition);
        if (buckets == null) {
            buckets = new HashSet<>();
            owed.put(partition.copy(), buckets);
        }
        buckets.add(bucket);
    }

    /** Readers that look for fully compacted snapshots know them by such a number, too. */
    boolean due(boolean lastTime, long checkpointId) {
        return !owed.isEmpty() && (lastTime || checkpointId % everyCommits == 0);
    }

    /** Begins the compactions; the next flush that waits for compactions hands their files out. */
    void begin(TableWriteImpl<?> write) throws Exception {
        for (Map.Entry<BinaryRow, Set<Integer>> partition : owed.entrySet()) {
            for (int bucket : partition.getValue()) {
                write.compact(partition.getKey(), bucket, true);
            }
        }
        owed.clear();
    }
}
