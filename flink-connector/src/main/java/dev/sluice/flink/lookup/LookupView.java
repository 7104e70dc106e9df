/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;

/** A table as probes see it: at some snapshot, moved to newer ones by {@link #refresh}. */
interface LookupView extends AutoCloseable {

    /**
     * Moves to the table's newest snapshot; the first call loads the view. Called by one thread at a time, while others
     * probe. After a failure the view still answers as of the snapshot it was at, and the call may be repeated.
     */
    void refresh() throws IOException;

    /**
     * Safe for several threads. The answer is what the join key had at exactly one snapshot.
     *
     * @param key as {@link KeyEncoder} writes it
     * @return rows nobody changes or reuses, so they may be kept
     */
    Collection<RowData> get(BinaryRowData key) throws IOException;

    /** Whether a probe never waits for storage. */
    boolean answersFromMemory();

    /** Whether the table's newer snapshots are never to be seen. */
    boolean isFixed();

    @Override
    void close() throws IOException;
}
