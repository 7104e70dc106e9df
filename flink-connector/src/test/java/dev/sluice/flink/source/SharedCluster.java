/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.executors.RemoteExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One small cluster for all tests of a class. */
public final class SharedCluster implements BeforeAllCallback, AfterAllCallback {

    private static final int SLOTS = 4;

    private MiniCluster cluster;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .build());
        cluster.start();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        cluster.close();
    }

    /** Fails a job on its first failure. */
    StreamExecutionEnvironment env() throws Exception {
        return env(0);
    }

    /** All tasks of the job must run. Gives the checkpoint once it is complete. */
    CompletableFuture<String> triggerCheckpoint(JobID job) {
        return cluster.triggerCheckpoint(job);
    }

    /** For statements, which then run here. */
    public Configuration statements() throws Exception {
        URI address = cluster.getRestAddress().get();
        Configuration configuration = new Configuration();
        configuration.set(DeploymentOptions.TARGET, RemoteExecutor.NAME);
        configuration.set(RestOptions.ADDRESS, address.getHost());
        configuration.set(RestOptions.PORT, address.getPort());
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, 2);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        return configuration;
    }

    /** For batch statements, which then run here. */
    public EnvironmentSettings batch() throws Exception {
        return EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(statements())
                .build();
    }

    /** For streaming statements, which then run here. */
    public EnvironmentSettings streaming() throws Exception {
        return EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(statements())
                .build();
    }

    StreamExecutionEnvironment env(int restarts) throws Exception {
        Configuration configuration = new Configuration();
        if (restarts == 0) {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        } else {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        }
        URI address = cluster.getRestAddress().get();
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createRemoteEnvironment(address.getHost(), address.getPort(), configuration);
        env.setParallelism(2);
        return env;
    }
}
