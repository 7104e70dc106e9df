/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.OptionRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.CoreOptions;

/** Combinations that do not make a table; looked at when a table is created or altered. */
final class TableConflicts {

    private static final String MERGE_ENGINE = CoreOptions.MERGE_ENGINE.key();
    private static final String PRODUCER = CoreOptions.CHANGELOG_PRODUCER.key();
    private static final String SEQUENCE = CoreOptions.SEQUENCE_FIELD.key();
    private static final String BUCKET = CoreOptions.BUCKET.key();
    private static final String BUCKET_KEY = CoreOptions.BUCKET_KEY.key();
    private static final String VECTORS = CoreOptions.DELETION_VECTORS_ENABLED.key();
    private static final String DELTA_COMMITS = CoreOptions.FULL_COMPACTION_DELTA_COMMITS.key();

    private TableConflicts() {}

    static void find(InForce options) {
        keys(options);
        engine(options);
        sequence(options);
        bucket(options);
        columns(options);
    }

    private static void keys(InForce options) {
        if (!options.table().primaryKeys().isEmpty()) {
            return;
        }
        String advice = "Leave it out, or create the table with PRIMARY KEY (…) NOT ENFORCED";
        String wrong = "it is for tables with a primary key, and this one has none";
        if (options.has(MERGE_ENGINE)) {
            options.wrong(MERGE_ENGINE, wrong, advice);
        }
        if (options.has(PRODUCER) && !options.is(PRODUCER, "none")) {
            options.wrong(PRODUCER, wrong, advice);
        }
        if (options.has(SEQUENCE)) {
            options.wrong(SEQUENCE, wrong, advice);
        }
        if (options.is(CoreOptions.STREAMING_READ_OVERWRITE.key(), "true")) {
            options.wrong(
                    CoreOptions.STREAMING_READ_OVERWRITE.key(),
                    wrong,
                    "Use '" + CoreOptions.STREAMING_READ_APPEND_OVERWRITE.key() + "' for a table without one");
        }
    }

    private static void engine(InForce options) {
        boolean firstRow = options.is(MERGE_ENGINE, "first-row");
        if (firstRow && !options.is(PRODUCER, "none") && !options.is(PRODUCER, "lookup")) {
            options.clash(PRODUCER, MERGE_ENGINE, "with first-row the changelog producer is none or lookup");
        }
        if (firstRow && options.has(SEQUENCE)) {
            options.clash(SEQUENCE, MERGE_ENGINE, "with first-row the row that comes first stays");
        }
        boolean override = options.is(CoreOptions.PK_CLUSTERING_OVERRIDE.key(), "true");
        if (firstRow && options.is(VECTORS, "true") && !override) {
            options.clash(VECTORS, MERGE_ENGINE, "with first-row no stored row is ever deleted");
        }
        if (options.is(VECTORS, "true") && options.is(PRODUCER, "full-compaction")) {
            options.clash(VECTORS, PRODUCER, "with deletion vectors the changelog producer is none, input or lookup");
        }
        if (options.has(DELTA_COMMITS) && options.is(PRODUCER, "lookup")) {
            options.clash(DELTA_COMMITS, PRODUCER, "a periodic full compaction goes with full-compaction");
        }
    }

    private static void sequence(InForce options) {
        if (!options.has(SEQUENCE)) {
            return;
        }
        List<String> fields = TableChange.columns(options.text(SEQUENCE));
        Set<String> seen = new HashSet<>();
        for (String field : fields) {
            String function = "fields." + field + "." + CoreOptions.AGG_FUNCTION;
            if (options.has(function)) {
                options.clash(function, SEQUENCE, "a column that orders rows is not aggregated");
            }
            if (!seen.add(field)) {
                options.wrong(SEQUENCE, "it names the column '" + field + "' twice", "Name each column once");
            }
        }
        TableFacts table = options.table();
        if (!table.primaryKeys().isEmpty() && !table.primaryKeys().containsAll(table.partitionKeys())) {
            options.wrong(
                    SEQUENCE,
                    "the primary key " + table.primaryKeys() + " lacks partition columns of " + table.partitionKeys()
                            + ", so rows move between partitions and cannot be ordered by a column",
                    "Leave it out, or make the partition columns part of the primary key");
        }
    }

    private static void bucket(InForce options) {
        boolean keyed = !options.table().primaryKeys().isEmpty();
        boolean none = options.is(BUCKET, "-1");
        if (none && options.has(BUCKET_KEY)) {
            if (options.has(BUCKET)) {
                options.clash(BUCKET_KEY, BUCKET, "without a fixed number of buckets there is nothing to hash");
            } else {
                options.needs(BUCKET_KEY, BUCKET, "without a fixed number of buckets there is nothing to hash");
            }
        }
        if (!none && !keyed && options.is(BUCKET, "-2")) {
            options.wrong(
                    BUCKET,
                    "postponed buckets are for tables with a primary key, and this one has none",
                    "Use -1, or a number with 'bucket-key'");
        } else if (!none && !keyed && !options.has(BUCKET_KEY)) {
            options.needs(BUCKET, BUCKET_KEY, "without a primary key nothing else says which bucket a row goes to");
        }
        if (none && !keyed && options.has(DELTA_COMMITS)) {
            options.wrong(
                    DELTA_COMMITS,
                    "an append table without fixed buckets has no full compaction to schedule",
                    "Leave it out, or set 'bucket' and 'bucket-key'");
        }
        if (keyed && options.has(BUCKET_KEY)) {
            notIn(options, options.table().primaryKeys(), "the primary key");
        }
    }

    private static void notIn(InForce options, List<String> columns, String what) {
        for (String key : TableChange.columns(options.text(BUCKET_KEY))) {
            if (options.table().columns().contains(key) && !columns.contains(key)) {
                options.wrong(
                        BUCKET_KEY,
                        "the column '" + key + "' is not part of " + what + " " + columns,
                        "Use columns of " + what);
            }
        }
    }

    private static void columns(InForce options) {
        List<String> known = options.table().columns();
        if (known.isEmpty()) {
            return;
        }
        List.of(
                        SEQUENCE,
                        CoreOptions.ROWKIND_FIELD.key(),
                        BUCKET_KEY,
                        CoreOptions.PRIMARY_KEY.key(),
                        CoreOptions.PARTITION.key(),
                        CoreOptions.RECORD_LEVEL_TIME_FIELD.key())
                .forEach(key -> {
                    if (options.has(key)) {
                        TableChange.columns(options.text(key)).forEach(column -> column(options, key, column));
                    }
                });
        for (String key : List.copyOf(options.keys())) {
            OptionRegistry.table().columnsIn(key).forEach(column -> column(options, key, column));
        }
    }

    private static void column(InForce options, String key, String column) {
        if (!options.table().columns().contains(column)) {
            options.wrong(
                    key,
                    "the table has no column '" + column + "'; it has "
                            + String.join(", ", options.table().columns()),
                    "Name one of the columns, or " + options.setting(key).undo());
        }
    }
}
