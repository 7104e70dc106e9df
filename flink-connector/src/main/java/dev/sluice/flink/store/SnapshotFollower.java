/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.StreamTableScan;
import org.apache.paimon.table.source.TableScan;
import org.jspecify.annotations.Nullable;

/**
 * Follows a table's snapshots in order: first what the table's start options ask for, then one snapshot after the
 * other. Thread-safe; each call may wait for the store.
 */
public final class SnapshotFollower {

    /** What one look at the table gave. */
    public sealed interface Step {}

    /**
     * Something to read, perhaps nothing of it left after filters.
     *
     * @param splits in no particular order within one snapshot
     * @param position the snapshot that is looked at next; handing it to {@link #restore} goes on from there
     */
    public record Found(List<Split> splits, long position) implements Step {}

    /**
     * Nothing new yet.
     *
     * @param position the snapshot that is waited for, or null while the table has no snapshot to start at
     */
    public record Waiting(@Nullable Long position) implements Step {}

    /** The bound that the table's options set has been reached; there is nothing more to come. */
    public record Ended() implements Step {}

    private final StoreTable table;
    /** Whether the table is still there is worth a request only once in a while. */
    private static final int LOOKS_BETWEEN_CHECKS = 30;

    private final StreamTableScan scan;
    private final @Nullable SchemaGuard guard;
    private boolean ended;
    private int looksInVain;

    private SnapshotFollower(StoreTable table, ReadSpec spec, StreamTableScan scan) {
        this.table = table;
        this.scan = scan;
        boolean stored = table.kind() == StoreTable.Kind.APPEND || table.kind() == StoreTable.Kind.PRIMARY_KEY;
        this.guard = stored ? new SchemaGuard(table, ReadLayout.of(table, spec).tableColumns()) : null;
    }

    /**
     * @param position where an earlier follower stopped, or null to start as the table's options say
     * @throws ReadException if the table cannot be followed as its options ask
     */
    public static SnapshotFollower open(StoreTable table, ReadSpec spec, @Nullable Long position) {
        try {
            StreamTableScan scan = Reads.builder(table, spec).newStreamScan();
            SnapshotFollower follower = new SnapshotFollower(table, spec, scan);
            if (position != null) {
                follower.restore(position);
            }
            return follower;
        } catch (RuntimeException e) {
            throw ReadException.planning(table, position, e);
        }
    }

    /**
     * The id of the table's latest snapshot, or null if it has none. May wait for the store.
     *
     * @throws ReadException if metadata cannot be read
     */
    public static @Nullable Long latest(StoreTable table) {
        try {
            return table.table().latestSnapshot().map(Snapshot::id).orElse(null);
        } catch (RuntimeException e) {
            throw ReadException.planning(table, null, e);
        }
    }

    /** The engine would notice an expired position only after looking for it many times. */
    private synchronized void restore(long position) {
        if (table.table() instanceof FileStoreTable fileStore && expired(fileStore, position)) {
            throw ReadException.expired(table, position, null);
        }
        scan.restore(position);
        ended = boundReachedBefore(position);
    }

    private static boolean expired(FileStoreTable fileStore, long position) {
        Long earliest = fileStore.snapshotManager().earliestSnapshotId();
        return earliest != null
                && position < earliest
                && !(fileStore.coreOptions().changelogLifecycleDecoupled()
                        && fileStore.changelogManager().longLivedChangelogExists(position));
    }

    /** The engine forgets on restore that the snapshot it started with was the last one. */
    private boolean boundReachedBefore(long position) {
        Long bound = Options.fromMap(table.options()).get(CoreOptions.SCAN_BOUNDED_WATERMARK);
        if (bound == null || !(table.table() instanceof FileStoreTable fileStore)) {
            return false;
        }
        long last = position - 1;
        if (!fileStore.snapshotManager().snapshotExists(last)) {
            return false;
        }
        Snapshot snapshot = fileStore.snapshotManager().snapshot(last);
        Long watermark = snapshot.watermark();
        return watermark != null && watermark > bound;
    }

    /** @throws ReadException if the snapshot that comes next has expired or metadata cannot be read */
    public synchronized Step next() {
        if (ended) {
            return new Ended();
        }
        Long before = scan.checkpoint();
        try {
            TableScan.Plan plan = scan.plan();
            Long after = scan.checkpoint();
            // A snapshot of which nothing is left after filters has been passed all the same, and more may lie ahead.
            if (after == null || (plan.splits().isEmpty() && after.equals(before))) {
                checkThere();
                return new Waiting(after);
            }
            checkSchema(plan.splits());
            looksInVain = 0;
            return new Found(plan.splits(), after);
        } catch (EndOfScanException e) {
            ended = true;
            return new Ended();
        } catch (RuntimeException e) {
            throw ReadException.planning(table, before, e);
        } catch (TableChangedException e) {
            throw ReadException.changed(e);
        }
    }

    private void checkThere() throws TableChangedException {
        looksInVain++;
        if (guard != null && looksInVain % LOOKS_BETWEEN_CHECKS == 0) {
            guard.checkSameTable();
        }
    }

    /** What is read goes by the schema that the job was planned for; later files may have another. */
    private void checkSchema(List<Split> splits) throws TableChangedException {
        if (guard == null) {
            return;
        }
        long planned = table.fileStore().schema().id();
        long newest = splits.stream()
                .filter(DataSplit.class::isInstance)
                .flatMap(split -> ((DataSplit) split).dataFiles().stream())
                .mapToLong(DataFileMeta::schemaId)
                .max()
                .orElse(planned);
        if (newest > planned) {
            guard.check(newest);
        }
    }

    /**
     * Keeps snapshots from this one on from expiring, where the table's options name a consumer; does nothing
     * otherwise.
     *
     * @param position the oldest snapshot that is still needed
     */
    public synchronized void keepFrom(long position) {
        try {
            scan.notifyCheckpointComplete(position);
        } catch (RuntimeException e) {
            throw ReadException.recordingConsumer(table, position, e);
        }
    }
}
