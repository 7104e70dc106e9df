/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.resolve.ResolvedOption;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.resolve.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.SnapshotManager;

/** Whether there is the place in a table's history where a read is to begin. Reads metadata. */
final class ReadPosition {

    private static final List<String> ONLY_BOUNDED = List.of(
            CoreOptions.SCAN_TAG_NAME.key(),
            CoreOptions.SCAN_WATERMARK.key(),
            CoreOptions.SCAN_VERSION.key(),
            CoreOptions.INCREMENTAL_BETWEEN.key(),
            CoreOptions.INCREMENTAL_BETWEEN_TIMESTAMP.key(),
            CoreOptions.INCREMENTAL_TO_AUTO_TAG.key());

    private ReadPosition() {}

    /** @throws ValidationException naming what there is instead */
    static void check(String name, FileStoreTable table, ResolvedOptions options, ReadableConfig job) {
        boolean streaming = PaimonTableFactory.streaming(job);
        if (streaming && (goesOnFromSavepoint(job) || goesOnFromConsumer(table))) {
            return; // The position that was reached counts, and what the options name may have expired by now.
        }
        snapshot(name, table, options);
        tag(name, table, options);
        if (!streaming) {
            timestamp(name, table, options);
        }
    }

    /** @throws ValidationException if the scan of a streaming job cannot go on from where it is to begin */
    static void checkFollowed(OpenedTable opened) {
        for (String key : ONLY_BOUNDED) {
            Optional<ResolvedOption> option = opened.options().get(key);
            if (option.isPresent()) {
                throw refused(
                        opened.table().name(),
                        option.get(),
                        "a read that begins there ends there too, and this job goes on reading. Add"
                                + " 'scan.bounded' = 'true' to the OPTIONS hint, or run: SET 'execution.runtime-mode' ="
                                + " 'batch';");
            }
        }
    }

    /**
     * Stored with a table, the option is for the streaming reads of it and does no harm to the others.
     *
     * @throws ValidationException if a statement asks of a scan that ends by itself to end with a watermark
     */
    static void checkEndsByItself(OpenedTable opened) {
        Optional<ResolvedOption> option = opened.options()
                .get(ReadOptions.BOUNDED_WATERMARK_INTERVAL.key())
                .filter(set -> set.scope() == Scope.STATEMENT);
        if (option.isPresent()) {
            throw refused(
                    opened.table().name(),
                    option.get(),
                    "it bounds a streaming read, and this one reads what the table holds and ends. Leave it out, or run:"
                            + " SET 'execution.runtime-mode' = 'streaming'; without 'scan.bounded'.");
        }
    }

    private static boolean goesOnFromSavepoint(ReadableConfig job) {
        return job.getOptional(StateRecoveryOptions.SAVEPOINT_PATH).isPresent();
    }

    private static boolean goesOnFromConsumer(FileStoreTable table) {
        String consumer = table.coreOptions().consumerId();
        return consumer != null
                && !table.coreOptions().consumerIgnoreProgress()
                && table.consumerManager().consumer(consumer).isPresent();
    }

    private static void snapshot(String name, FileStoreTable table, ResolvedOptions options) {
        Long id = table.coreOptions().scanSnapshotId();
        Optional<ResolvedOption> option = options.get(CoreOptions.SCAN_SNAPSHOT_ID.key());
        if (id == null || option.isEmpty() || table.snapshotManager().snapshotExists(id) || changelog(table, id)) {
            return;
        }
        throw refused(name, option.get(), "there is no such snapshot. " + existing(table.snapshotManager()));
    }

    private static boolean changelog(FileStoreTable table, long id) {
        return table.coreOptions().changelogLifecycleDecoupled()
                && table.changelogManager().longLivedChangelogExists(id);
    }

    private static String existing(SnapshotManager snapshots) {
        Long earliest = snapshots.earliestSnapshotId();
        Long latest = snapshots.latestSnapshotId();
        if (earliest == null || latest == null) {
            return "The table has no snapshot yet; write to it first, or leave the option out.";
        }
        return "The table has snapshots " + earliest + " to " + latest + "; name one of them, or leave the option out.";
    }

    private static void tag(String name, FileStoreTable table, ResolvedOptions options) {
        String tag = table.coreOptions().scanTagName();
        Optional<ResolvedOption> option = options.get(CoreOptions.SCAN_TAG_NAME.key());
        if (tag == null || option.isEmpty() || table.tagManager().tagExists(tag)) {
            return;
        }
        List<String> tags = table.tagManager().allTagNames();
        throw refused(
                name,
                option.get(),
                tags.isEmpty()
                        ? "the table has no tags. Make one with CALL sys.create_tag, or leave the option out."
                        : "there is no such tag. The table has "
                                + tags.stream().sorted().collect(Collectors.joining(", ")) + "; name one of them.");
    }

    private static void timestamp(String name, FileStoreTable table, ResolvedOptions options) {
        Long millis = table.coreOptions().scanTimestampMills();
        Optional<ResolvedOption> option = options.get(CoreOptions.SCAN_TIMESTAMP_MILLIS.key())
                .or(() -> options.get(CoreOptions.SCAN_TIMESTAMP.key()));
        if (millis == null || option.isEmpty()) {
            return;
        }
        SnapshotManager snapshots = table.snapshotManager();
        if (snapshots.earlierOrEqualTimeMills(millis) != null) {
            return;
        }
        Snapshot earliest = snapshots.earliestSnapshot();
        throw refused(
                name,
                option.get(),
                "no snapshot is that old. "
                        + (earliest == null
                                ? "The table has no snapshot yet; write to it first, or leave the option out."
                                : "The earliest, " + earliest.id() + ", is of " + earliest.timeMillis() + " ("
                                        + Instant.ofEpochMilli(earliest.timeMillis())
                                        + "); name a time from there on, or leave the option out."));
    }

    private static ValidationException refused(String name, ResolvedOption option, String wrong) {
        return new ValidationException("Table " + name + ", option '" + option.key() + "' = '" + option.value() + "' ("
                + option.where() + "): " + wrong);
    }
}
