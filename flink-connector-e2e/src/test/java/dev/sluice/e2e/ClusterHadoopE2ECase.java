/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with its own Hadoop, the SQL jar before it on the class path: neither disturbs the other, and paths that
 * only Hadoop knows go to the cluster's.
 */
final class ClusterHadoopE2ECase {
    @TempDir
    private Path folder;

    @Test
    void localPathsWorkAndHadoopStaysTheClusters() throws Exception {
        // Settings of a cluster that would break a Hadoop reading them with other classes than the cluster's.
        site("<property><name>e2e.site</name><value>read</value></property>"
                + "<property><name>hadoop.security.group.mapping</name>"
                + "<value>org.apache.hadoop.security.NullGroupsMapping</value></property>");

        ChildJvm.Finished run = run("cluster-hadoop-file", "'warehouse'='" + folder.toUri() + "wh'");

        Tour.check(run);
        assertHadoopIsTheClusters(run);
    }

    @Test
    void pathsOfOtherFileSystemsGoToTheClustersHadoop() throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        site("<property><name>e2e.site</name><value>read</value></property>"
                + "<property><name>fs.viewfs.mounttable.lake.link./store</name>"
                + "<value>" + mounted.toUri() + "</value></property>");

        ChildJvm.Finished run = run("cluster-hadoop-viewfs", "'warehouse'='viewfs://lake/store/wh'");

        Tour.check(run);
        assertHadoopIsTheClusters(run);
        assertThat(mounted.resolve("wh/default.db/account/snapshot")).isNotEmptyDirectory();
    }

    private ChildJvm.Finished run(String name, String catalogOptions) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("tour.sql"), Tour.sql(catalogOptions));
        List<Path> classPath = Installed.joined(
                Installed.flinkWithSqlJar("2.2"), List.of(folder.resolve("conf")), Installed.lib("hadoop"));
        return ChildJvm.of(name, classPath, "dev.sluice.e2e.BesideHadoop", file.toString())
                .run()
                .expectSuccess();
    }

    private void site(String properties) throws IOException {
        Path conf = Files.createDirectory(folder.resolve("conf"));
        Files.writeString(conf.resolve("core-site.xml"), "<configuration>" + properties + "</configuration>");
    }

    private static void assertHadoopIsTheClusters(ChildJvm.Finished run) {
        assertThat(run.rows("version")).as(run.transcript()).containsExactly("3.4.2");
        assertThat(run.rows("classes")).containsExactly("hadoop-client-api-3.4.2.jar");
        assertThat(run.rows("defaults")).singleElement().asString().contains("hadoop-client-api-3.4.2.jar!");
        assertThat(run.rows("site")).containsExactly("read");
    }
}
