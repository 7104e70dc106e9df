/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster for the tests of a class, and a folder of tables for each test. */
abstract class OnACluster {

    private static final int SLOTS = 8;

    static Cluster cluster;

    @TempDir
    Path folder;

    Warehouse warehouse;

    @BeforeAll
    static void start() throws Exception {
        cluster = new Cluster(SLOTS);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeWarehouse() throws Exception {
        warehouse = new Warehouse(folder);
    }

    static void checkpoint(JobClient client) throws Exception {
        awaitAllTasksStarted(client);
        cluster.miniCluster()
                .triggerCheckpoint(client.getJobID(), CheckpointType.FULL)
                .get(60, TimeUnit.SECONDS);
    }

    /** Rows may arrive while the last task is still being deployed, and Flink declines a checkpoint until it runs. */
    private static void awaitAllTasksStarted(JobClient client) {
        await().atMost(90, TimeUnit.SECONDS).until(() -> {
            for (AccessExecutionVertex task : cluster.miniCluster()
                    .getExecutionGraph(client.getJobID())
                    .get(60, TimeUnit.SECONDS)
                    .getAllExecutionVertices()) {
                ExecutionState state = task.getExecutionState();
                if (state != ExecutionState.RUNNING && state != ExecutionState.FINISHED) {
                    return false;
                }
            }
            return true;
        });
    }
}
