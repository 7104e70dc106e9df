/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.store.StoreTable;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a streaming job's checkpoints must be like so that its rows become visible, all of them and once. */
final class CheckpointingRules {

    private CheckpointingRules() {}

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointingRules.class);

    /**
     * @param refused whether a job without is refused, or only warned of
     * @throws ValidationException with the line to set
     */
    static void check(StoreTable table, StreamExecutionEnvironment env, boolean refused) {
        String problem = problem(table, env);
        if (problem != null && refused) {
            throw new ValidationException(problem);
        }
        if (problem != null) {
            LOG.warn("Not refused because 'required-configuration-check.enabled' is false: {}", problem);
        }
    }

    private static @Nullable String problem(StoreTable table, StreamExecutionEnvironment env) {
        if (!env.getCheckpointConfig().isCheckpointingEnabled()) {
            return "A streaming job commits to table " + table
                    + " when a checkpoint completes, and checkpointing is off, so its rows would never become visible."
                    + " Run: SET '" + CheckpointingOptions.CHECKPOINTING_INTERVAL.key() + "' = '10 s';"
                    + " or, for bounded input: SET 'execution.runtime-mode' = 'batch';";
        }
        if (!env.getConfiguration().get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)) {
            return "The last rows of a bounded input are committed to table " + table
                    + " by a checkpoint after the input has ended, and such checkpoints are off. Run: SET '"
                    + CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key() + "' = 'true';";
        }
        return null;
    }

    /**
     * A row that changes its partition is deleted by one writer and added by another, in one checkpoint or else in two.
     *
     * @throws ValidationException with the line to set
     */
    static void checkMovingRows(StoreTable table, StreamExecutionEnvironment env) {
        if (env.getConfiguration().get(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE)
                == CheckpointingMode.AT_LEAST_ONCE) {
            throw new ValidationException("Rows of table " + table + " may move between partitions, and at-least-once"
                    + " checkpoints could commit a row in both. Run: SET '"
                    + CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE.key() + "' = 'EXACTLY_ONCE';");
        }
    }

    /**
     * Whether a job built of DataStreams runs in the mode that its sink was made for.
     *
     * @throws ValidationException with what to change, if rows would be lost
     */
    static void checkMode(StoreTable table, StreamExecutionEnvironment env, boolean streaming) {
        RuntimeExecutionMode mode = env.getConfiguration().get(ExecutionOptions.RUNTIME_MODE);
        if (streaming && mode == RuntimeExecutionMode.BATCH) {
            throw new ValidationException(
                    "Table " + table + " is to be written with each checkpoint (streaming is"
                            + " true), but the job's '" + ExecutionOptions.RUNTIME_MODE.key()
                            + "' is BATCH, which has no"
                            + " checkpoints, so the rows would never become visible. Pass false, or set the mode to STREAMING.");
        }
        if (!streaming && mode == RuntimeExecutionMode.STREAMING) {
            throw new ValidationException("Table " + table + " is to be written once at the end of the input (streaming"
                    + " is false), but the job's '" + ExecutionOptions.RUNTIME_MODE.key() + "' is STREAMING: restored"
                    + " from a checkpoint it would lose the rows before that. Pass true, or set the mode to BATCH.");
        }
    }
}
