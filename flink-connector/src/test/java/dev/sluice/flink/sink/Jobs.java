/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;

/** What the jobs of the tests are configured with. */
final class Jobs {

    private Jobs() {}

    static Configuration streaming(Path folder, Duration checkpointInterval, int restarts) {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        job.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        job.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(20));
        return job;
    }
}
