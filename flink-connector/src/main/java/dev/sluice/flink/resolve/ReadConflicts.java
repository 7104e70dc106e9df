/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.option.ReadLimitOptions;
import dev.sluice.flink.option.WatermarkOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.CoreOptions;

/** Combinations that a read cannot make sense of. */
final class ReadConflicts {

    private static final String MODE = CoreOptions.SCAN_MODE.key();

    /** Each says where a read begins; two of them say two things. */
    static final List<String> POSITIONS = List.of(
            CoreOptions.SCAN_SNAPSHOT_ID.key(),
            CoreOptions.SCAN_TAG_NAME.key(),
            CoreOptions.SCAN_WATERMARK.key(),
            CoreOptions.SCAN_VERSION.key(),
            CoreOptions.SCAN_TIMESTAMP_MILLIS.key(),
            CoreOptions.SCAN_TIMESTAMP.key(),
            CoreOptions.SCAN_CREATION_TIME_MILLIS.key(),
            CoreOptions.SCAN_FILE_CREATION_TIME_MILLIS.key(),
            CoreOptions.INCREMENTAL_BETWEEN.key(),
            CoreOptions.INCREMENTAL_BETWEEN_TIMESTAMP.key(),
            CoreOptions.INCREMENTAL_TO_AUTO_TAG.key());

    /** What each mode begins with; a mode that is not here begins with none of them. */
    private static final Map<String, List<String>> NEEDED = Map.of(
            "from-snapshot", POSITIONS.subList(0, 4),
            "from-snapshot-full", POSITIONS.subList(0, 1),
            "from-timestamp", POSITIONS.subList(4, 6),
            "from-creation-timestamp", POSITIONS.subList(6, 7),
            "from-file-creation-time", POSITIONS.subList(7, 8),
            "incremental", POSITIONS.subList(8, 11));

    private ReadConflicts() {}

    static void find(InForce options) {
        positions(options);
        mode(options);
        limits(options);
        watermarks(options);
        lookup(options);
    }

    private static void positions(InForce options) {
        List<String> present = options.present(POSITIONS);
        for (int i = 0; i < present.size(); i++) {
            for (int j = i + 1; j < present.size(); j++) {
                options.clash(present.get(i), present.get(j), "both say where the read begins");
            }
        }
    }

    private static void mode(InForce options) {
        if (!options.has(MODE) || options.is(MODE, "default")) {
            return;
        }
        String mode = options.text(MODE).toLowerCase(Locale.ROOT);
        List<String> needed = NEEDED.getOrDefault(mode, List.of());
        if (!needed.isEmpty() && options.present(needed).isEmpty()) {
            options.wrong(
                    MODE,
                    "this mode begins where one of " + quoted(needed) + " says, and none is set",
                    "Set one of them, or " + options.setting(MODE).undo());
        }
        for (String position : options.present(POSITIONS)) {
            if (!needed.contains(position)) {
                options.clash(
                        position,
                        MODE,
                        needed.isEmpty()
                                ? "this mode begins at no such position"
                                : "this mode begins where " + quoted(needed) + " says");
            }
        }
    }

    private static void limits(InForce options) {
        together(options, ReadLimitOptions.MIN_ROWS, ReadLimitOptions.MAX_DELAY, "rows would be held back for ever");
        together(options, ReadLimitOptions.MAX_DELAY, ReadLimitOptions.MIN_ROWS, "without it nothing is held back");
        String least = ReadLimitOptions.MIN_ROWS.key();
        String most = ReadLimitOptions.MAX_ROWS.key();
        if (options.has(least) && options.has(most) && options.greater(least, most)) {
            options.clash(least, most, "the least is greater than the most");
        }
    }

    private static void watermarks(InForce options) {
        together(
                options,
                WatermarkOptions.ALIGNMENT_GROUP,
                WatermarkOptions.ALIGNMENT_MAX_DRIFT,
                "a group alone aligns nothing");
        together(
                options,
                WatermarkOptions.ALIGNMENT_MAX_DRIFT,
                WatermarkOptions.ALIGNMENT_GROUP,
                "the drift is measured within a group");
        String overwrite = CoreOptions.STREAMING_READ_OVERWRITE.key();
        String producer = CoreOptions.CHANGELOG_PRODUCER.key();
        if (options.is(overwrite, "true")
                && (options.is(producer, "lookup") || options.is(producer, "full-compaction"))) {
            options.clash(overwrite, producer, "changes of an overwrite would be read twice");
        }
    }

    private static void lookup(InForce options) {
        String threads = LookupOptions.ASYNC_THREADS.key();
        if (options.has(threads) && options.is(LookupOptions.ASYNC.key(), "false")) {
            options.idle(threads, "it has no effect while 'lookup.async' is false", "Set 'lookup.async' = 'true'");
        }
    }

    private static void together(InForce options, ConfigOption<?> one, ConfigOption<?> other, String why) {
        if (options.has(one.key()) && !options.has(other.key())) {
            options.needs(one.key(), other.key(), why);
        }
    }

    static String quoted(List<String> keys) {
        return String.join(", ", keys.stream().map(key -> "'" + key + "'").toList());
    }
}
