/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;

/** Merging small files while a table is written, for fewer files and faster reads at the cost of slower writes. */
public final class SmallFiles {

    /** As soon as there is something to merge with. */
    private static final int EAGER = 2;

    private SmallFiles() {}

    /**
     * The table with triggers that have a writer's files merged as soon as there are two, where its own ask for more
     * ({@code num-sorted-run.compaction-trigger}, {@code compaction.min.file-num}). Only for this statement.
     *
     * @throws ValidationException if the table's writers do not merge files at all
     */
    public static StoreTable mergedEagerly(StoreTable table) {
        CoreOptions options = table.fileStore().coreOptions();
        if (options.writeOnly()) {
            throw new ValidationException("'compaction.optimization-enabled' is true for table " + table
                    + ", so files are to be merged while it is written, but '" + CoreOptions.WRITE_ONLY.key()
                    + "' is true, too, and leaves merging to a job of its own. Set one of them to false.");
        }
        Map<String, String> eager = new HashMap<>();
        if (table.kind() == StoreTable.Kind.PRIMARY_KEY) {
            // Writers that wait for a merge do so where they did before.
            eager.put(
                    CoreOptions.NUM_SORTED_RUNS_STOP_TRIGGER.key(), String.valueOf(options.numSortedRunStopTrigger()));
            eager.put(
                    CoreOptions.NUM_SORTED_RUNS_COMPACTION_TRIGGER.key(),
                    String.valueOf(Math.min(EAGER, options.numSortedRunCompactionTrigger())));
        } else {
            eager.put(
                    CoreOptions.COMPACTION_MIN_FILE_NUM.key(),
                    String.valueOf(Math.min(EAGER, options.compactionMinFileNum())));
        }
        return StoreTable.of(table.name(), table.fileStore().copy(eager));
    }
}
