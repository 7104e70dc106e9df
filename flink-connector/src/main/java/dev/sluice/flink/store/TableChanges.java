/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A table's history, as a view follows it. Used by one thread at a time. */
public interface TableChanges {

    /**
     * What happened since the last change that was reported by {@link #followed}; the first call covers the whole
     * table. A change that was handed out and never reported is covered again, by a whole one if it was begun.
     *
     * @return null if the table has no newer snapshot
     * @throws TableChangedException if the table is gone or no longer the one the job was planned for
     * @throws IOException if storage failed; the call may be repeated
     */
    @Nullable
    TableChange next() throws IOException;

    /** From here to {@link #followed} the view may show a part of this change: if it gets stuck it is to be loaded anew. */
    void begun(TableChange change);

    /** The view now shows this change. */
    void followed(TableChange change);
}
