/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.jspecify.annotations.Nullable;

/** Handed over when the fetcher was woken, or told to pause, before it had rows. */
enum NothingFetched implements RecordsWithSplitIds<RowPage> {
    INSTANCE;

    @Override
    public @Nullable String nextSplit() {
        return null;
    }

    @Override
    public @Nullable RowPage nextRecordFromSplit() {
        return null;
    }

    @Override
    public Set<String> finishedSplits() {
        return Set.of();
    }
}
