/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.nio.file.Path;
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
}
