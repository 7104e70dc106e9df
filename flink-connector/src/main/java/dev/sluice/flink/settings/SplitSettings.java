/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.option.SplitAssignMode;
import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How splits are planned and handed out.
 *
 * @param assignMode how splits of a bounded scan reach the subtasks
 * @param batchSize splits of a bounded scan handed over in one message
 * @param maxPerTask splits a subtask may have waiting before planning pauses
 * @param plannedInTask whether a task of the job plans instead of the job manager
 * @param sizedByReadColumns whether the size of a split counts only the columns that are read
 */
public record SplitSettings(
        SplitAssignMode assignMode, int batchSize, int maxPerTask, boolean plannedInTask, boolean sizedByReadColumns)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public SplitSettings {
        Positive.check(ReadOptions.SPLIT_BATCH_SIZE, batchSize);
        Positive.check(ReadOptions.MAX_SPLITS_PER_TASK, maxPerTask);
    }

    static SplitSettings from(ReadableConfig options) {
        return new SplitSettings(
                options.get(ReadOptions.SPLIT_ASSIGN_MODE),
                options.get(ReadOptions.SPLIT_BATCH_SIZE),
                options.get(ReadOptions.MAX_SPLITS_PER_TASK),
                options.get(ReadOptions.DEDICATED_SPLIT_GENERATION),
                options.get(ReadOptions.SPLIT_SIZE_WITH_COLUMN_PRUNING));
    }
}
