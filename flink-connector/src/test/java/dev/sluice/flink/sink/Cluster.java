/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** One Flink cluster in this JVM for the tests of a class. */
final class Cluster implements AutoCloseable {

    private final MiniCluster cluster;

    Cluster(int slots) throws Exception {
        this(slots, new Configuration());
    }

    /** @param configuration the cluster's, of which the ports are chosen here */
    Cluster(int slots, Configuration configuration) throws Exception {
        configuration.set(RestOptions.PORT, 0);
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
        cluster.start();
    }

    StreamExecutionEnvironment environment(Configuration job) throws Exception {
        int port = cluster.getRestAddress().get().getPort();
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", port, job);
        env.setParallelism(2);
        return env;
    }

    /** Whether no job is running any more. */
    boolean idle() throws Exception {
        return cluster.listJobs().get().stream()
                .allMatch(job -> job.getJobState().isGloballyTerminalState());
    }

    MiniCluster miniCluster() {
        return cluster;
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }
}
