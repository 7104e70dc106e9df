/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SQL jar alone in the lib/ of every supported Flink, a warehouse in a local folder, no Hadoop anywhere. */
final class FilePathE2ECase {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"2.0", "2.1", "2.2", "2.3"})
    void createsWritesReadsAndTravelsInTime(String flink) throws Exception {
        Path file = Files.writeString(folder.resolve("tour.sql"), Tour.sql("'warehouse'='" + folder.toUri() + "wh'"));

        ChildJvm.Finished run = ChildJvm.of(
                        "file-path-" + flink,
                        Installed.flinkWithSqlJar(flink),
                        "dev.sluice.e2e.SqlFile",
                        file.toString())
                .run()
                .expectSuccess();

        Tour.check(run);
        assertThat(folder.resolve("wh/default.db/account/snapshot")).isNotEmptyDirectory();
    }
}
