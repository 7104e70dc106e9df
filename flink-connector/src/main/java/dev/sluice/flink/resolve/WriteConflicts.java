/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.WriteOptions;
import dev.sluice.flink.option.WriterResourceOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.CoreOptions;

/** Combinations that a write cannot make sense of. */
final class WriteConflicts {

    private WriteConflicts() {}

    static void find(InForce options) {
        resources(options);
        mode(options);
        mergeSchema(options);
        retention(options);
    }

    private static void resources(InForce options) {
        String slots = "only an explicit size makes the slot sharing group it belongs to";
        requires(options, WriterResourceOptions.WRITER_MANAGED_MEMORY, WriterResourceOptions.WRITER_MEMORY, slots);
        requires(options, WriterResourceOptions.WRITER_CPU, WriterResourceOptions.WRITER_MEMORY, slots);
        requires(options, WriterResourceOptions.COMMITTER_CPU, WriterResourceOptions.COMMITTER_MEMORY, slots);
        String weight = WriterResourceOptions.MANAGED_BUFFER_MEMORY.key();
        String managed = WriterResourceOptions.USE_MANAGED_MEMORY.key();
        if (options.has(weight) && !options.is(managed, "true")) {
            options.idle(
                    weight,
                    "it has no effect while '" + managed + "' is false",
                    "Set '" + managed + "' = 'true' to take buffers from managed memory");
        }
    }

    private static void mode(InForce options) {
        String mode = WriteOptions.WRITE_MODE.key();
        boolean keyed = !options.table().primaryKeys().isEmpty();
        if (options.is(mode, "append-only") && keyed) {
            options.wrong(
                    mode,
                    "it is for tables without a primary key, and this one has "
                            + options.table().primaryKeys(),
                    "Use 'change-log' or 'auto'");
        }
        if (options.is(mode, "change-log") && !keyed) {
            options.wrong(
                    mode,
                    "it is for tables with a primary key, and this one has none",
                    "Use 'append-only' or 'auto', or create the table with PRIMARY KEY (…) NOT ENFORCED");
        }
    }

    private static void mergeSchema(InForce options) {
        String merge = WriteOptions.MERGE_SCHEMA.key();
        String widening = WriteOptions.MERGE_SCHEMA_TYPE_WIDENING.key();
        String cast = WriteOptions.MERGE_SCHEMA_EXPLICIT_CAST.key();
        if (options.is(widening, "true") && !options.is(merge, "true")) {
            options.needs(widening, merge, "without it the table's columns do not change");
        }
        if (options.is(cast, "true") && !options.is(widening, "true")) {
            options.needs(cast, widening, "without it no column's type changes");
        }
    }

    private static void retention(InForce options) {
        atMost(options, CoreOptions.SNAPSHOT_NUM_RETAINED_MIN.key(), CoreOptions.SNAPSHOT_NUM_RETAINED_MAX.key());
        atMost(options, CoreOptions.CHANGELOG_NUM_RETAINED_MIN.key(), CoreOptions.CHANGELOG_NUM_RETAINED_MAX.key());
    }

    private static void atMost(InForce options, String least, String most) {
        if (!options.greater(least, most)) {
            return;
        }
        if (options.has(least) && options.has(most)) {
            options.clash(least, most, "the least is greater than the most");
        } else if (options.has(least) || options.has(most)) {
            String set = options.has(least) ? least : most;
            String other = options.has(least) ? most : least;
            options.wrong(
                    set,
                    "the least is greater than the most: '" + other + "' is '" + options.text(other) + "' by default",
                    "Set '" + other + "' too");
        }
    }

    private static void requires(InForce options, ConfigOption<?> one, ConfigOption<?> other, String why) {
        if (options.has(one.key()) && !options.has(other.key())) {
            options.needs(one.key(), other.key(), why);
        }
    }
}
