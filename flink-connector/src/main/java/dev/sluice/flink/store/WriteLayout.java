/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.table.FileStoreTable;

/** How rows of a table find their files; decides the shape of the sink. */
public enum WriteLayout {
    /** A fixed number of buckets; all rows of a bucket go through one writer. */
    FIXED_BUCKETS,
    /** Buckets that are begun as they fill up; an index says which key is in which. */
    DYNAMIC_BUCKETS,
    /** As dynamic ones; an index of all keys says which partition each is in, too, for rows may change it. */
    CROSS_PARTITION,
    /** Rows are gathered without buckets, in which a later compaction puts them. */
    POSTPONED,
    /** As many buckets as each partition of a table with postponed ones has or gets; written in batch. */
    POSTPONED_WITH_BUCKETS,
    /** No buckets; any writer takes any row. */
    UNAWARE;

    /** Whether a writer goes on from the files that its buckets have, so that all of them must be known to it. */
    public boolean continuesBuckets() {
        return this != UNAWARE && this != POSTPONED;
    }

    /**
     * The layout of a table that can be written. Called while a statement is planned.
     *
     * @throws ValidationException if this version cannot write the table, with the reason and what to do instead
     */
    public static WriteLayout of(StoreTable table, boolean streaming) {
        WriteLayout layout = of(table);
        return layout == POSTPONED && !streaming && PostponedBuckets.writtenInBatch(table)
                ? POSTPONED_WITH_BUCKETS
                : layout;
    }

    /** The layout that a streaming job finds. */
    public static WriteLayout of(StoreTable table) {
        switch (table.kind()) {
            case SYSTEM ->
                throw new ValidationException("Table " + table
                        + " is a read-only view of another table's metadata or changelog and cannot be written."
                        + " Write to the table it belongs to.");
            case FORMAT ->
                throw new ValidationException("Table " + table
                        + " is a format table (plain data files without snapshots), which takes INSERT INTO and INSERT"
                        + " OVERWRITE in batch mode only. Run: SET 'execution.runtime-mode' = 'batch'; or create a table"
                        + " without 'type' = 'format-table'.");
            case PRIMARY_KEY, APPEND -> {}
        }
        FileStoreTable store = table.fileStore();
        FullCompactions.check(table);
        return switch (store.bucketMode()) {
            case HASH_FIXED -> FIXED_BUCKETS;
            case BUCKET_UNAWARE -> UNAWARE;
            case HASH_DYNAMIC -> DYNAMIC_BUCKETS;
            case KEY_DYNAMIC -> {
                checkOldRowsCanBeDeleted(table, store.coreOptions());
                yield CROSS_PARTITION;
            }
            case POSTPONE_MODE -> POSTPONED;
        };
    }

    /**
     * A row that moves to another partition is deleted from its old one. With {@code ignore-delete} that cannot be: not
     * only writers drop deletes then, but all that merges stored rows, compactions and readers of any engine, passes
     * over them, so that the key would be there twice. A column that says what kind a row is can say that it is a
     * delete, unless it also says where the row belongs.
     */
    private static void checkOldRowsCanBeDeleted(StoreTable table, CoreOptions options) {
        if (options.mergeEngine() != CoreOptions.MergeEngine.DEDUPLICATE) {
            return;
        }
        String why = options.ignoreDelete()
                ? "'" + CoreOptions.IGNORE_DELETE.key() + "' = 'true' drops deletes, also those of old rows"
                : options.rowkindField()
                        .filter(column -> table.fileStore().partitionKeys().contains(column)
                                || table.primaryKeys().contains(column))
                        .map(column -> "'" + CoreOptions.ROWKIND_FIELD.key() + "' = '" + column + "' is part of where a"
                                + " row is, so that the delete of an old row cannot bear its kind there")
                        .orElse(null);
        if (why != null) {
            throw new ValidationException("Rows of table " + table
                    + " move between partitions, because its primary key does not contain the partition columns, and "
                    + why + ": a key that moves would be there twice. Make a table without the option, or with the"
                    + " partition columns in its primary key.");
        }
    }
}
