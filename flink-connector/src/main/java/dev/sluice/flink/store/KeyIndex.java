/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.paimon.casting.DefaultValueRow;
import org.apache.paimon.crosspartition.GlobalIndexAssigner;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.utils.SerializationUtils;
import org.jspecify.annotations.Nullable;

/**
 * Knows the partition and bucket of each key, of a table whose rows may change their partition, and says what becomes of
 * a row whose key is elsewhere already: for deduplication the old one is deleted, first-row drops the new one, others take
 * it to the old one. One of several, each of which owns some of the keys. Used by one thread; keeps its entries on local
 * disk until it is closed.
 */
public final class KeyIndex implements AutoCloseable {

    private static final String DISK_ADVICE =
            "Check that every task manager has room in its temporary directories (io.tmp.dirs), then restart the job.";

    private static final BinaryString DELETE = BinaryString.fromString(RowKind.DELETE.shortString());

    /** Takes rows with their bucket; a row is valid during the call only. */
    @FunctionalInterface
    public interface Taker {
        void take(InternalRow row, int bucket);
    }

    private final StoreTable table;
    private final GlobalIndexAssigner assigner;
    private final IOManager ioManager;
    private final @Nullable DefaultValueRow withDefaults;

    /** The column that rows have their kind in, or -1 if they have none. */
    private final int kindColumn;

    private boolean retracts;

    private KeyIndex(StoreTable table, GlobalIndexAssigner assigner, IOManager ioManager) {
        this.table = table;
        this.assigner = assigner;
        this.ioManager = ioManager;
        this.withDefaults = DefaultValueRow.create(table.fileStore().rowType());
        this.kindColumn = table.fileStore()
                .coreOptions()
                .rowkindField()
                .map(column -> table.rowType().getFieldIndex(column))
                .orElse(-1);
    }

    /**
     * The subtask's place among all that share the work.
     *
     * @param index from 0 to {@code count - 1}
     */
    public record Subtask(int index, int count) {}

    /**
     * @param cacheBytes of memory outside the heap for the entries in use
     * @param compactions runs the index's own merges
     */
    public static KeyIndex open(
            StoreTable table,
            Subtask subtask,
            long cacheBytes,
            ExecutorService compactions,
            String[] tempDirectories,
            Taker taker)
            throws WriteFailedException {
        GlobalIndexAssigner assigner = new GlobalIndexAssigner(table.fileStore());
        IOManager ioManager = IOManager.create(tempDirectories);
        KeyIndex index = new KeyIndex(table, assigner, ioManager);
        try {
            assigner.open(cacheBytes, compactions, ioManager, subtask.count(), subtask.index(), (row, bucket) -> {
                index.sayIfDeleted(row);
                taker.take(row, bucket);
            });
            return index;
        } catch (Exception e) {
            WriteFailedException failure =
                    WriteFailedException.during("Opening the index of all keys", table, e, DISK_ADVICE);
            try {
                index.close();
            } catch (Exception closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    /** Adds an entry of an existing row; all of them must be added before {@link #complete}. */
    public void add(byte[] entry) throws WriteFailedException {
        try {
            assigner.bootstrapKey(SerializationUtils.deserializeBinaryRow(entry));
        } catch (IOException | RuntimeException e) {
            throw WriteFailedException.during("Adding to the index of all keys", table, e, DISK_ADVICE);
        }
    }

    /** Until the index is complete, rows wait in a buffer that spills to disk. */
    public void assign(InternalRow row) throws WriteFailedException {
        if (kindColumn >= 0) {
            // The column alone counts. So what comes out as a delete is one of an old row, made here.
            row.setRowKind(RowKind.INSERT);
        }
        retracts |= row.getRowKind().isRetract();
        try {
            assigner.processInput(withDefaults == null ? row : withDefaults.replaceRow(row));
        } catch (Exception e) {
            throw WriteFailedException.during("Finding the bucket of a row", table, e, DISK_ADVICE);
        }
    }

    /** An old row's delete is made of the new row and has that one's kind in its column, by which writers go. */
    private void sayIfDeleted(InternalRow row) {
        if (kindColumn >= 0 && row.getRowKind() == RowKind.DELETE) {
            ((GenericRow) row).setField(kindColumn, DELETE);
        }
    }

    /**
     * Says that all entries of existing rows have been added. Does nothing the second time.
     *
     * @param last whether no row follows, so that nobody needs the index if it is empty so far
     */
    public void complete(boolean last) throws WriteFailedException {
        if (!assigner.inBoostrap()) {
            return;
        }
        try {
            // Without an index the engine sorts the rows by key, and forgets that some of them are deletes.
            assigner.endBoostrap(last && !retracts);
        } catch (Exception e) {
            throw WriteFailedException.during("Building the index of all keys", table, e, DISK_ADVICE);
        }
    }

    @Override
    public void close() throws Exception {
        try (ioManager) {
            assigner.close();
        }
    }
}
