/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/** A table as probes see it: at some snapshot, moved to newer ones by {@link #refresh}. */
interface LookupView extends AutoCloseable {

    /**
     * Moves to the table's newest snapshot; the first call loads the view. Called by one thread at a time, while others
     * probe. After a failure the view still answers as of the snapshot it was at, and the call may be repeated.
     *
     * @param watch told what is found, reached and read
     */
    void refresh(RefreshWatch watch) throws IOException;

    /**
     * Looks into storage if the view is not in memory, whatever {@link #getIfCached} says. Safe for several threads. The
     * answer is what the join key had at exactly one snapshot.
     *
     * @param key as {@link KeyEncoder} writes it
     * @return rows nobody changes or reuses, so they may be kept
     */
    Collection<RowData> get(BinaryRowData key) throws IOException;

    /**
     * The same without a look into storage.
     *
     * @return null if only {@link #get} can tell
     */
    @Nullable
    Collection<RowData> getIfCached(BinaryRowData key);

    /** Whether a probe never waits for storage. */
    boolean answersFromMemory();

    /** Whether the table's newer snapshots are never to be seen. */
    boolean isFixed();

    /** How much the view holds; safe for any thread. */
    ViewSize size();

    @Override
    void close() throws IOException;
}
