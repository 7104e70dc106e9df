/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PostponeUtils;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/**
 * How many buckets each partition of a table in postpone bucket mode has or gets, for a batch job that writes them
 * directly instead of leaving that to a compaction. Fixed when the job is planned.
 *
 * @param known partition to its number of buckets, of partitions that have files in buckets
 * @param others buckets of each other partition
 */
public record PostponedBuckets(Map<BinaryRow, Integer> known, int others) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Marks the view; no option of the engine, and never stored. */
    private static final String VIEW_FOR_WRITERS = "sluice.postponed-with-buckets";

    /** @param writers subtasks that will write; new partitions get as many buckets unless an option says otherwise */
    public static PostponedBuckets of(StoreTable table, int writers) {
        CoreOptions options = table.fileStore().coreOptions();
        int others = options.toConfiguration().contains(CoreOptions.POSTPONE_DEFAULT_BUCKET_NUM)
                ? options.postponeDefaultBucketNum()
                : Math.min(writers, options.postponeBatchWriteFixedBucketMaxParallelism());
        return new PostponedBuckets(PostponeUtils.getKnownNumBuckets(table.fileStore()), others);
    }

    /** Whether a batch job is to write buckets directly. */
    static boolean writtenInBatch(StoreTable table) {
        return table.fileStore().bucketMode() == BucketMode.POSTPONE_MODE
                && table.fileStore().coreOptions().postponeBatchWriteFixedBucket();
    }

    /** The table as its writers see it: with buckets, and without compactions. */
    public static StoreTable forWriters(StoreTable table) {
        FileStoreTable withBuckets = PostponeUtils.tableForFixBucketWrite(table.fileStore());
        return StoreTable.of(table.name(), withBuckets.copy(Map.of(VIEW_FOR_WRITERS, "true")));
    }

    /** Whether this is such a view of a table. */
    static boolean differ(FileStoreTable writersTable) {
        return "true".equals(writersTable.options().get(VIEW_FOR_WRITERS));
    }

    int count(BinaryRow partition) {
        return known.getOrDefault(partition, others);
    }

    /** The messages with the number of buckets that their partition has, which the writers do not know. */
    public List<CommitMessage> counted(List<CommitMessage> messages) {
        List<CommitMessage> counted = new ArrayList<>(messages.size());
        for (CommitMessage message : messages) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            counted.add(new CommitMessageImpl(
                    files.partition(),
                    files.bucket(),
                    count(files.partition()),
                    files.newFilesIncrement(),
                    files.compactIncrement()));
        }
        return counted;
    }
}
