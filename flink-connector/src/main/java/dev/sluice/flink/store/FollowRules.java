/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What of a table a view follows, and when it begins anew.
 *
 * @param partitions which partitions, as {@code scan.partitions} has it; null for all
 * @param partitionInterval how often it is looked which partitions those are
 * @param fullLoadThreshold how many snapshots the view may be behind before it is loaded anew; null for any number
 * @param share the buckets it needs; null for all
 */
public record FollowRules(
        @Nullable String partitions,
        Duration partitionInterval,
        @Nullable Integer fullLoadThreshold,
        @Nullable BucketShare share) {

    /** All of the table, snapshot by snapshot. */
    public static final FollowRules EVERYTHING = new FollowRules(null, Duration.ofHours(1), null, null);
}
