/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.StartupMode;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.table.source.Split;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a table snapshot by snapshot for a view that holds its rows. A slice whose files changed is read again,
 * merged, at the newest snapshot: that is exact for every merge engine, for deletion vectors and for writers whose
 * sequence numbers interleave, none of which the row-by-row stream of changes is. Files that an append table merely
 * gained are read alone. Used by one thread at a time.
 */
public final class TableFollower implements TableChanges {

    private static final Logger LOG = LoggerFactory.getLogger(TableFollower.class);

    private final FileStoreTable store;
    private final CoreOptions options;
    private final SliceReader reader;
    private final SnapshotTrail trail;
    private final StoreTable table;
    private final FollowRules rules;
    private final LongSupplier nanoClock;
    private final boolean fixed;
    private boolean loaded;

    /** The partitions that the rules choose, as looked up last; null for all. */
    private @Nullable Set<BinaryRow> partitions;

    private long partitionsKnownAt;

    /** Whether the view still shows what was chosen before. */
    private boolean otherPartitions;

    private @Nullable TableChange pending;

    /** The way that the pending change goes; null for a fixed table. */
    private SnapshotTrail.@Nullable Step pendingStep;

    private TableFollower(StoreTable table, RowSelection selection, FollowRules rules, LongSupplier nanoClock) {
        this.table = table;
        this.rules = rules;
        this.nanoClock = nanoClock;
        this.store = table.fileStore();
        this.options = store.coreOptions();
        this.reader = new SliceReader(table, selection, rules.share());
        this.trail = new SnapshotTrail(table, selection.columns(), rules.fullLoadThreshold());
        this.fixed = isFixed(options.startupMode());
    }

    /**
     * @param projection positions in the table's row type of the columns that rows are handed out with, in that order
     * @param filters over positions in the table's row type; rows for which one does not hold are left out
     */
    public static TableFollower open(StoreTable table, int[] projection, List<Predicate> filters) {
        return open(table, projection, filters, FollowRules.EVERYTHING, System::nanoTime);
    }

    /** @param nanoClock what the rules' interval is measured with */
    public static TableFollower open(
            StoreTable table, int[] projection, List<Predicate> filters, FollowRules rules, LongSupplier nanoClock) {
        check(table);
        return new TableFollower(table, new RowSelection(table, projection, filters), rules, nanoClock);
    }

    /**
     * Lists the table's partitions, so it may take long.
     *
     * @param partitions as {@code scan.partitions} has it
     * @throws IllegalArgumentException if the table has no such partitions, saying why
     */
    public static void checkPartitions(StoreTable table, String partitions) {
        Set<BinaryRow> unused = PartitionChoice.partitions(table, partitions);
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
        choosePartitions();
        if (fixed) {
            pending = loaded ? null : whole(0, 0, new WholeRows(() -> reader.plan(partitions)));
            return pending;
        }
        SnapshotTrail.Step step = trail.next();
        pendingStep = step;
        pending = step == null ? null : change(step);
        return pending;
    }

    @Override
    public void begun(TableChange change) {
        trail.forget();
    }

    @Override
    public void followed(TableChange change) {
        if (!change.equals(pending)) {
            throw new IllegalStateException("Snapshot " + change.snapshotId() + " was not the last one handed out.");
        }
        if (pendingStep != null) {
            trail.followed(pendingStep);
        }
        loaded = true;
        otherPartitions = false;
        pending = null;
    }

    private void choosePartitions() {
        String choice = rules.partitions();
        long now = nanoClock.getAsLong();
        if (choice == null
                || (partitions != null
                        && now - partitionsKnownAt < rules.partitionInterval().toNanos())) {
            return;
        }
        Set<BinaryRow> chosen = PartitionChoice.partitions(table, choice);
        partitionsKnownAt = now;
        if (!chosen.equals(partitions)) {
            if (partitions != null) {
                otherPartitions = true;
                LOG.info("Table {} of a lookup join: 'scan.partitions' = '{}' chooses others now", table, choice);
            }
            partitions = chosen;
            trail.forget();
        }
    }

    private TableChange whole(long snapshotId, long millis, TableChange.Rows rows) {
        return new TableChange(snapshotId, millis, true, otherPartitions, Set.of(), rows);
    }

    /** Planned when they are read, so that a failure to plan is one to read. */
    private final class WholeRows implements TableChange.Rows {

        private final Supplier<List<Split>> splits;

        private WholeRows(Supplier<List<Split>> splits) {
            this.splits = splits;
        }

        @Override
        public void read(TableChange.RowSink sink) throws IOException {
            reader.read(splits.get(), sink);
        }

        @Override
        public List<TableChange.Rows> parts() {
            List<TableChange.Rows> parts = new ArrayList<>();
            splits.get().forEach(split -> parts.add(sink -> reader.read(List.of(split), sink)));
            return parts;
        }
    }

    private boolean isChosen(BinaryRow partition) {
        return partitions == null || partitions.contains(partition);
    }

    private TableChange change(SnapshotTrail.Step step) {
        Snapshot latest = step.latest();
        if (latest == null) {
            return whole(0, 0, sink -> {});
        }
        long id = latest.id();
        if (step.from() == null || options.queryAuthEnabled() || deletesByVector(step.from(), step.since())) {
            return whole(id, latest.timeMillis(), new WholeRows(() -> reader.planAll(id, partitions)));
        }
        Set<Slice> rewritten = new HashSet<>();
        List<Split> gained = new ArrayList<>();
        step.since().forEach(snapshot -> collect(snapshot, rewritten, gained));
        return new TableChange(id, latest.timeMillis(), false, false, Set.copyOf(rewritten), sink -> {
            reader.read(withoutSlices(gained, rewritten), sink);
            if (!rewritten.isEmpty()) {
                reader.read(reader.plan(id, rewritten), sink);
            }
        });
    }

    private static List<Split> withoutSlices(List<Split> splits, Set<Slice> slices) {
        return splits.stream()
                .filter(split -> !slices.contains(SliceReader.sliceOf(split)))
                .toList();
    }

    private void collect(Snapshot snapshot, Set<Slice> rewritten, List<Split> gained) {
        if (snapshot.commitKind() == Snapshot.CommitKind.COMPACT && !compactionShows()) {
            return;
        }
        boolean onlyGains = store.primaryKeys().isEmpty() && !options.dataEvolutionEnabled();
        Set<Slice> touched = new HashSet<>();
        for (Split split :
                store.newSnapshotReader().withSnapshot(snapshot).readChanges().splits()) {
            IncrementalSplit change = (IncrementalSplit) split;
            if (isChosen(change.partition())) {
                touched.add(new Slice(change.partition(), change.bucket()));
                onlyGains &= change.beforeFiles().isEmpty();
            }
        }
        if (onlyGains) {
            store.newSnapshotReader().withMode(ScanMode.DELTA).withSnapshot(snapshot).read().dataSplits().stream()
                    .filter(split -> isChosen(split.partition()) && reader.isShared(split))
                    .forEach(gained::add);
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
    private boolean deletesByVector(Snapshot from, List<Snapshot> since) {
        if (!store.primaryKeys().isEmpty() || !options.deletionVectorsEnabled()) {
            return false;
        }
        Snapshot before = from;
        for (Snapshot after : since) {
            if (after.commitKind() != Snapshot.CommitKind.COMPACT
                    && !Objects.equals(before.indexManifest(), after.indexManifest())) {
                return true;
            }
            before = after;
        }
        return false;
    }
}
