/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import org.apache.paimon.manifest.PartitionEntry;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;

/** Plans a read that ends: what the table holds at the place in time that its options name, or now. */
public final class BoundedPlan {

    private BoundedPlan() {}

    /**
     * Reads metadata only; may take long, so it stays off threads that others wait for.
     *
     * @throws ReadException if the place in time does not exist (any more) or metadata cannot be read
     */
    public static List<Split> splits(StoreTable table, ReadSpec spec) {
        try {
            ReadBuilder builder = Reads.builder(table, spec);
            Long limit = spec.limit();
            // Files are counted before rows are filtered, so a limit may leave files out only where nothing is.
            if (limit != null && spec.filters().isEmpty() && limit <= Integer.MAX_VALUE) {
                builder.withLimit(limit.intValue());
            }
            return builder.newScan().plan().splits();
        } catch (RuntimeException e) {
            throw ReadException.planning(table, null, e);
        }
    }

    /**
     * About how many rows a read gives: as many as the files have that are not left out, before rows of the same key
     * are merged. Reads metadata only.
     *
     * @return -1 if the table does not keep count
     */
    public static long rowsAbout(StoreTable table, ReadSpec spec) {
        if (!(table.table() instanceof FileStoreTable)) {
            return -1;
        }
        long rows = 0;
        for (PartitionEntry partition :
                Reads.builder(table, spec).dropStats().newScan().listPartitionEntries()) {
            rows += partition.recordCount();
        }
        return rows;
    }
}
