/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import dev.sluice.flink.settings.CommitSettings.PartitionDone;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.MergeEngine;
import org.apache.paimon.fs.Path;
import org.apache.paimon.partition.PartitionTimeExtractor;
import org.apache.paimon.partition.actions.PartitionMarkDoneAction;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.InternalRowPartitionComputer;
import org.apache.paimon.utils.PartitionPathUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions that have new rows and wait to be marked as complete. Noted by the committing thread, marked by the upkeep's,
 * saved by the task's.
 */
final class PartitionMarks {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionMarks.class);

    private final StoreTable table;
    private final PartitionDone settings;
    private final InstantSource clock;
    private final boolean atEndOfInput;
    private final boolean compactionCounts;
    private final InternalRowPartitionComputer computer;
    private final PartitionTimeExtractor times;

    /** Partition, as its path below the table, to the time of its last rows in milliseconds. Guarded by this. */
    private final Map<String, Long> waiting = new TreeMap<>();

    private @Nullable List<PartitionMarkDoneAction> actions;

    private PartitionMarks(StoreTable table, PartitionDone settings, InstantSource clock) {
        this.table = table;
        this.settings = settings;
        this.clock = clock;
        FileStoreTable store = table.fileStore();
        CoreOptions options = store.coreOptions();
        this.atEndOfInput = options.toConfiguration().get(CoreOptions.PARTITION_MARK_DONE_WHEN_END_INPUT);
        // Where rows can be read once they are compacted, that is when a partition has got them.
        this.compactionCounts = !store.primaryKeys().isEmpty()
                && (options.deletionVectorsEnabled()
                        || options.mergeEngine() == MergeEngine.FIRST_ROW
                        || store.bucketMode() == BucketMode.POSTPONE_MODE);
        this.computer = new InternalRowPartitionComputer(
                options.partitionDefaultName(),
                store.schema().logicalPartitionType(),
                store.partitionKeys().toArray(new String[0]),
                options.legacyPartitionName());
        this.times =
                new PartitionTimeExtractor(options.partitionTimestampPattern(), options.partitionTimestampFormatter());
    }

    /** @return null if partitions of the table are not marked */
    static @Nullable PartitionMarks of(StoreTable table, PartitionDone settings, InstantSource clock) {
        if (table.partitionKeys().isEmpty()) {
            return null;
        }
        PartitionMarks marks = new PartitionMarks(table, settings, clock);
        if (settings.idleTime() != null && settings.timeInterval() == null && !marks.atEndOfInput) {
            LOG.warn(
                    "Partitions of table {} are never marked as complete: 'partition.idle-time-to-done' is set, but"
                            + " 'partition.time-interval', the time that one partition stands for, is not",
                    table);
        }
        return settings.idleTime() != null || marks.atEndOfInput ? marks : null;
    }

    void note(PendingCommit commit) {
        Long time = settings.byWatermark() ? commit.watermark() : Long.valueOf(clock.millis());
        if (time == null) {
            return;
        }
        for (CommitMessage message : commit.messages()) {
            if (compactionCounts
                    || !((CommitMessageImpl) message).newFilesIncrement().isEmpty()) {
                noteOne(
                        PartitionPathUtils.generatePartitionPath(computer.generatePartValues(message.partition())),
                        time);
            }
        }
    }

    private synchronized void noteOne(String partition, long time) {
        waiting.put(partition, time);
    }

    /** Partitions of an earlier run; their time starts anew. */
    synchronized void restore(List<String> partitions) {
        if (settings.recovered()) {
            partitions.forEach(partition -> waiting.put(partition, settings.byWatermark() ? 0 : clock.millis()));
        }
    }

    synchronized List<String> waiting() {
        return List.copyOf(waiting.keySet());
    }

    /**
     * Marks the partitions whose time has come. One that cannot be marked waits for the next call.
     *
     * @param watermark of the input in milliseconds, or null if there is none
     * @param inputEnded whether no rows follow
     */
    void mark(@Nullable Long watermark, boolean inputEnded) {
        Long now = settings.byWatermark() ? watermark : Long.valueOf(clock.millis());
        Map<String, Long> due = due(now, inputEnded && atEndOfInput);
        for (Map.Entry<String, Long> partition : due.entrySet()) {
            try {
                for (PartitionMarkDoneAction action : actions()) {
                    action.markDone(partition.getKey());
                }
            } catch (Exception e) {
                LOG.warn(
                        "Partition {} of table {} could not be marked as complete; it is tried again after the next"
                                + " checkpoint",
                        partition.getKey(),
                        table,
                        e);
                continue;
            }
            LOG.info("Partition {} of table {} is marked as complete", partition.getKey(), table);
            forget(partition.getKey(), partition.getValue());
        }
    }

    private synchronized Map<String, Long> due(@Nullable Long now, boolean all) {
        if (all) {
            return new TreeMap<>(waiting);
        }
        Duration idle = settings.idleTime();
        Duration interval = settings.timeInterval();
        Map<String, Long> due = new TreeMap<>();
        if (now == null || idle == null || interval == null) {
            return due;
        }
        List<String> unknown = new ArrayList<>();
        waiting.forEach((partition, lastRows) -> {
            Long start = startOf(partition);
            if (start == null) {
                unknown.add(partition);
            } else if (now - Math.max(lastRows, start + interval.toMillis()) > idle.toMillis()) {
                due.put(partition, lastRows);
            }
        });
        unknown.forEach(waiting::remove);
        return due;
    }

    private synchronized void forget(String partition, long time) {
        waiting.remove(partition, time);
    }

    private @Nullable Long startOf(String partition) {
        try {
            LocalDateTime start = times.extract(PartitionPathUtils.extractPartitionSpecFromPath(new Path(partition)));
            ZoneId zone = settings.byWatermark() ? ZoneOffset.UTC : ZoneId.systemDefault();
            return start.atZone(zone).toInstant().toEpochMilli();
        } catch (DateTimeParseException e) {
            LOG.warn(
                    "Partition {} of table {} is never marked as complete, because no time can be read from it. Check"
                            + " 'partition.timestamp-pattern' and 'partition.timestamp-formatter'",
                    partition,
                    table,
                    e);
            return null;
        }
    }

    private List<PartitionMarkDoneAction> actions() {
        if (actions == null) {
            FileStoreTable store = table.fileStore();
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            actions = PartitionMarkDoneAction.createActions(loader, store, store.coreOptions());
        }
        return actions;
    }

    /** Called once no mark is in progress. */
    void close() {
        if (actions != null) {
            for (PartitionMarkDoneAction action : actions) {
                try {
                    action.close();
                } catch (Exception e) {
                    LOG.warn("An action that marks partitions of table {} did not close", table, e);
                }
            }
        }
    }
}
