/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** One Flink cluster in this process, for all statements of a run. */
public final class EmbeddedFlink implements AutoCloseable {

    /** A lookup join's job and the query that looks at its result can run beside each other. */
    private static final int SLOTS_PER_PARALLELISM = 2;

    private final MiniCluster cluster;
    private final int parallelism;

    private EmbeddedFlink(MiniCluster cluster, int parallelism) {
        this.cluster = cluster;
        this.parallelism = parallelism;
    }

    /**
     * @param webPort where Flink's web UI listens; "0" for any free port
     * @throws IllegalStateException if it does not start, for example because the port is taken
     */
    public static EmbeddedFlink start(int parallelism, String webPort) {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.BIND_PORT, webPort);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
        RowCounts.configure(configuration);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism * SLOTS_PER_PARALLELISM)
                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "The embedded Flink does not start (web port " + webPort + "): " + Failures.reason(e), e);
        }
        return new EmbeddedFlink(cluster, parallelism);
    }

    /** Each statement gets its own, so that a setting that was reset leaves nothing behind. */
    StreamExecutionEnvironment environment(Configuration session) {
        Configuration configuration = new Configuration(session);
        configuration.set(DeploymentOptions.TARGET, ClusterExecutors.NAME);
        configuration.set(DeploymentOptions.ATTACHED, true);
        return new StreamExecutionEnvironment(
                new ClusterExecutors(cluster), configuration, EmbeddedFlink.class.getClassLoader());
    }

    int parallelism() {
        return parallelism;
    }

    URI webAddress() {
        return cluster.getRestAddress().join();
    }

    /** Also cancels what still runs. */
    @Override
    public void close() {
        try {
            cluster.closeAsync().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The embedded Flink does not stop: " + Failures.reason(e), e);
        }
    }
}
