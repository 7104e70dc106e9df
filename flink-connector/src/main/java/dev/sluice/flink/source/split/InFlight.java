/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import dev.sluice.flink.store.SplitOrigin;
import java.io.Serializable;

/**
 * What the enumerator needs to know of a split that a reader holds.
 *
 * @param splitId the split's id
 * @param snapshotId the snapshot it belongs to
 * @param bucket see {@link SplitOrigin#bucket()}
 */
public record InFlight(String splitId, long snapshotId, int bucket) implements Serializable {

    public static InFlight of(PaimonSplit split) {
        SplitOrigin origin = SplitOrigin.of(split.split());
        return new InFlight(split.splitId(), origin.snapshotId(), origin.bucket());
    }
}
