/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.settings.StreamReadSettings;
import java.util.function.LongSupplier;

/**
 * How a table is followed.
 *
 * @param ordered whether the splits of one bucket must be read one after the other, in snapshot order
 * @param endsWithPresent whether the read ends with the snapshot that is the latest when it is started
 * @param settings when the table is looked at and how much is handed out at a time
 * @param maxSplitsPerReader planning rests while this many splits for each reader wait: more would only fill memory and
 *     checkpoints
 * @param clock milliseconds that do not go back
 */
public record FollowRules(
        boolean ordered,
        boolean endsWithPresent,
        StreamReadSettings settings,
        int maxSplitsPerReader,
        LongSupplier clock) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public static FollowRules of(boolean ordered, boolean endsWithPresent, ReadSettings settings) {
        return new FollowRules(
                ordered,
                endsWithPresent,
                settings.stream(),
                settings.splits().maxPerTask(),
                () -> System.nanoTime() / NANOS_PER_MILLI);
    }
}
