/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.deployment.ClusterClientJobClientAdapter;
import org.apache.flink.client.program.MiniClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Sends jobs straight to a cluster of this process. Flink's own local executor starts a cluster for each
 * job, and its remote one asks over HTTP for the end of a job at growing intervals.
 */
final class ClusterExecutors implements PipelineExecutorServiceLoader, PipelineExecutorFactory {

    static final String NAME = "embedded";

    private final MiniCluster cluster;

    ClusterExecutors(MiniCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
        return this;
    }

    @Override
    public Stream<String> getExecutorNames() {
        return Stream.of(NAME);
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public boolean isCompatibleWith(Configuration configuration) {
        return true;
    }

    @Override
    public PipelineExecutor getExecutor(Configuration configuration) {
        return this::submit;
    }

    private CompletableFuture<JobClient> submit(
            Pipeline pipeline, Configuration configuration, ClassLoader userClassLoader) {
        MiniClusterClient client = new MiniClusterClient(configuration, cluster);
        CompletableFuture<JobID> submitted = client.submitJob((StreamGraph) pipeline);
        return submitted.thenApply(job -> new ClusterClientJobClientAdapter<>(() -> client, job, userClassLoader));
    }
}
