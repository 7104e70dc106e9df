/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A warehouse in an S3 store, reached by the plugin inside the SQL jar. */
final class S3E2ECase {
    @TempDir
    private Path folder;

    @Test
    void readsAndWritesWithoutHadoop() throws Exception {
        run("s3", Installed.flinkWithSqlJar("2.2"));
    }

    @Test
    void readsAndWritesBesideAClustersHadoop() throws Exception {
        run("s3-beside-hadoop", Installed.joined(Installed.flinkWithSqlJar("2.2"), Installed.lib("hadoop")));
    }

    private void run(String name, List<Path> classPath) throws Exception {
        try (S3Store store = S3Store.start(folder, "lake")) {
            Path file = Files.writeString(
                    folder.resolve("tour.sql"),
                    Tour.sql("'warehouse'='s3://lake/wh', 's3.endpoint'='" + store.endpoint()
                            + "', 's3.access-key'='e2e', 's3.secret-key'='e2e', 's3.path.style.access'='true'"));

            ChildJvm.Finished run = ChildJvm.of(name, classPath, "dev.sluice.e2e.SqlFile", file.toString())
                    .run()
                    .expectSuccess();

            Tour.check(run);
            assertThat(store.list("lake", "wh/default.db/account/snapshot/"))
                    .contains("<Key>wh/default.db/account/snapshot/snapshot-2</Key>");
        }
    }
}
