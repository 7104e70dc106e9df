/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.StartupMode;
import org.apache.paimon.Snapshot;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.SnapshotManager;
import org.jspecify.annotations.Nullable;

/**
 * Follows a table snapshot by snapshot for a view that holds its rows. A slice whose files changed is read again,
 * merged, at the newest snapshot: that is exact for every merge engine, for deletion vectors and for writers whose
 * sequence numbers interleave, none of which the row-by-row stream of changes is. Files that an append table merely
 * gained are read alone. Used by one thread at a time.
 */
public final class TableFollower implements TableChanges {

    private final FileStoreTable store;
    private final CoreOptions options;
    private final SliceReader reader;
    private final SchemaGuard guard;
    private final boolean fixed;

    private @Nullable Snapshot followed;
    private boolean loaded;

    /** What was handed out and not yet reported as followed; its snapshot is null for a table without any. */
    private @Nullable TableChange pending;

    private @Nullable Snapshot pendingSnapshot;

    private TableFollower(StoreTable table, SliceReader reader) {
        this.store = table.fileStore();
        this.options = store.coreOptions();
        this.reader = reader;
        this.guard = new SchemaGuard(table, reader.columns());
        this.fixed = isFixed(options.startupMode());
    }

    /**
     * @param projection positions in the table's row type of the columns that rows are handed out with, in that order
     * @param filters over positions in the table's row type; rows for which one does not hold are left out
     */
    public static TableFollower open(StoreTable table, int[] projection, List<Predicate> filters) {
        check(table);
        return new TableFollower(table, new SliceReader(table, projection, filters));
    }

    /** @throws IllegalArgumentException if the table's rows cannot be followed, saying why */
    public static void check(StoreTable table) {
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY && table.kind() != StoreTable.Kind.APPEND) {
            throw new IllegalArgumentException("Table " + table.name() + " is of kind " + table.kind()
                    + " and cannot be probed by a lookup join, which needs a table with snapshots. Join it without FOR"
                    + " SYSTEM_TIME AS OF.");
        }
        FileStoreTable store = table.fileStore();
        if (store instanceof FallbackReadFileStoreTable) {
            throw new IllegalArgumentException("Table " + table.name() + " reads missing partitions from a fallback"
                    + " branch ('" + CoreOptions.SCAN_FALLBACK_BRANCH.key() + "'), which a lookup join does not do."
                    + " Probe one branch: `" + store.name() + "$branch_<name>`.");
        }
        StartupMode mode = store.coreOptions().startupMode();
        if (mode == StartupMode.COMPACTED_FULL) {
            throw new IllegalArgumentException("Table " + table.name() + " has '" + CoreOptions.SCAN_MODE.key()
                    + "' = '" + mode + "', which a lookup join does not follow. Accepted are latest-full, latest, and"
                    + " the options that choose one snapshot, such as '" + CoreOptions.SCAN_SNAPSHOT_ID.key() + "'.");
        }
    }

    private static boolean isFixed(StartupMode mode) {
        return switch (mode) {
            case DEFAULT, FULL, LATEST_FULL, LATEST -> false;
            default -> true;
        };
    }

    /** Whether the statement chose one state of the table, so that there is nothing to follow after the first change. */
    public boolean isFixed() {
        return fixed;
    }

    @Override
    public @Nullable TableChange next() throws IOException {
        boolean inDoubt = !loaded || pending != null;
        if (fixed) {
            return inDoubt ? handOut(null, fixedState()) : null;
        }
        Snapshot latest = store.snapshotManager().latestSnapshot();
        if (latest == null) {
            guard.checkSameTable();
            return inDoubt || followed != null ? handOut(null, whole(null)) : null;
        }
        if (!inDoubt && latest.equals(followed)) {
            return null;
        }
        if (inDoubt || followed == null || !continues(followed, latest)) {
            guard.checkSameTable();
            guard.check(latest.schemaId());
            return handOut(latest, whole(latest));
        }
        guard.check(latest.schemaId());
        return handOut(latest, since(followed, latest));
    }

    @Override
    public void followed(TableChange change) {
        if (change != pending) {
            throw new IllegalStateException("Snapshot " + change.snapshotId() + " was not the last one handed out.");
        }
        followed = pendingSnapshot;
        loaded = true;
        pending = null;
    }

    private TableChange handOut(@Nullable Snapshot snapshot, TableChange change) {
        pendingSnapshot = snapshot;
        pending = change;
        return change;
    }

    private TableChange fixedState() {
        return new TableChange(0, true, Set.of(), sink -> reader.read(reader.plan(), sink));
    }

    private TableChange whole(@Nullable Snapshot snapshot) {
        if (snapshot == null) {
            return new TableChange(0, true, Set.of(), sink -> {});
        }
        long id = snapshot.id();
        return new TableChange(id, true, Set.of(), sink -> reader.read(reader.plan(id, null), sink));
    }

    /** False after a rollback, for a table made again, and once the followed snapshot has expired. */
    private boolean continues(Snapshot from, Snapshot latest) throws IOException {
        return latest.id() > from.id() && from.equals(stored(from.id()));
    }

    private @Nullable Snapshot stored(long snapshotId) {
        SnapshotManager snapshots = store.snapshotManager();
        try {
            // Not through the manager's cache: a rollback may have put another snapshot under this id.
            return SnapshotManager.tryFromPath(snapshots.fileIO(), snapshots.snapshotPath(snapshotId));
        } catch (FileNotFoundException expired) {
            return null;
        }
    }

    private TableChange since(Snapshot from, Snapshot latest) {
        Set<Slice> rewritten = new HashSet<>();
        List<Split> gained = new ArrayList<>();
        Snapshot previous = from;
        for (long id = from.id() + 1; id <= latest.id(); id++) {
            Snapshot snapshot = id == latest.id() ? latest : stored(id);
            if (snapshot == null || options.queryAuthEnabled() || deletesByVector(previous, snapshot)) {
                return whole(latest);
            }
            collect(snapshot, rewritten, gained);
            previous = snapshot;
        }
        return new TableChange(latest.id(), false, Set.copyOf(rewritten), sink -> {
            reader.read(
                    gained.stream()
                            .filter(split -> !rewritten.contains(SliceReader.sliceOf(split)))
                            .toList(),
                    sink);
            if (!rewritten.isEmpty()) {
                reader.read(reader.plan(latest.id(), rewritten), sink);
            }
        });
    }

    private void collect(Snapshot snapshot, Set<Slice> rewritten, List<Split> gained) {
        if (snapshot.commitKind() == Snapshot.CommitKind.COMPACT && !compactionShows()) {
            return;
        }
        boolean onlyGains = true;
        Set<Slice> touched = new HashSet<>();
        for (Split split :
                store.newSnapshotReader().withSnapshot(snapshot).readChanges().splits()) {
            IncrementalSplit change = (IncrementalSplit) split;
            touched.add(new Slice(change.partition(), change.bucket()));
            onlyGains &= change.beforeFiles().isEmpty();
        }
        if (onlyGains && store.primaryKeys().isEmpty() && !options.dataEvolutionEnabled()) {
            gained.addAll(store.newSnapshotReader()
                    .withMode(ScanMode.DELTA)
                    .withSnapshot(snapshot)
                    .read()
                    .splits());
        } else {
            rewritten.addAll(touched);
        }
    }

    /** Compaction moves rows without changing them, except where rows are not readable, or expire, until it ran. */
    private boolean compactionShows() {
        boolean primaryKey = !store.primaryKeys().isEmpty();
        return (primaryKey && (options.batchScanSkipLevel0() || options.recordLevelExpireTime() != null))
                || store.bucketMode() == BucketMode.POSTPONE_MODE;
    }

    /** An append table deletes rows without touching a data file: only its index manifest tells. */
    private boolean deletesByVector(Snapshot before, Snapshot after) {
        return store.primaryKeys().isEmpty()
                && options.deletionVectorsEnabled()
                && after.commitKind() != Snapshot.CommitKind.COMPACT
                && !java.util.Objects.equals(before.indexManifest(), after.indexManifest());
    }
}
