/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.store.StoreTable;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;

/** What a streaming job's checkpoints must be like so that its rows become visible, all of them and once. */
final class CheckpointingRules {

    private CheckpointingRules() {}

    /** @throws ValidationException with the line to set */
    static void check(StoreTable table, StreamExecutionEnvironment env) {
        if (!env.getCheckpointConfig().isCheckpointingEnabled()) {
            throw new ValidationException("A streaming job commits to table " + table
                    + " when a checkpoint completes, and checkpointing is off, so its rows would never become visible."
                    + " Run: SET '" + CheckpointingOptions.CHECKPOINTING_INTERVAL.key() + "' = '10 s';"
                    + " or, for bounded input: SET 'execution.runtime-mode' = 'batch';");
        }
        if (!env.getConfiguration().get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)) {
            throw new ValidationException("The last rows of a bounded input are committed to table " + table
                    + " by a checkpoint after the input has ended, and such checkpoints are off. Run: SET '"
                    + CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key() + "' = 'true';");
        }
    }
}
