/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sluice and Paimon's own connector, each in its own JVM, on each other's tables. */
final class InteroperationE2ECase {
    @TempDir
    private Path folder;

    @Test
    void eachReadsWhatTheOtherWrote() throws Exception {
        ChildJvm.Finished sluice = run(
                "sluice-writes",
                Installed.flinkWithSqlJar("2.2"),
                use("ours") + AllTypes.write() + AllTypes.read("ours"));
        AllTypes.check(sluice, "ours");

        ChildJvm.Finished official = run(
                "official-reads-and-writes",
                Installed.flinkWithOfficialConnector("2.2"),
                use("ours")
                        + AllTypes.read("ours")
                        + AllTypes.writeOneMore()
                        + use("theirs")
                        + AllTypes.write()
                        + AllTypes.read("theirs"));
        AllTypes.check(official, "ours");
        AllTypes.check(official, "theirs");

        ChildJvm.Finished again = run(
                "sluice-reads",
                Installed.flinkWithSqlJar("2.2"),
                use("theirs")
                        + AllTypes.read("theirs")
                        + AllTypes.writeOneMore()
                        + AllTypes.read("theirs and ours")
                        + use("ours")
                        + AllTypes.read("ours and theirs"));
        AllTypes.check(again, "theirs");
        AllTypes.checkOneMore(again, "theirs and ours");
        AllTypes.checkOneMore(again, "ours and theirs");
    }

    private String use(String name) {
        return """
                SET 'table.local-time-zone' = 'UTC';
                CREATE CATALOG %s WITH ('type'='paimon', 'warehouse'='%s');
                USE CATALOG %s;
                """.formatted(name, folder.toUri() + name, name);
    }

    private ChildJvm.Finished run(String name, List<Path> classPath, String sql)
            throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve(name + ".sql"), sql);
        return ChildJvm.of(name, classPath, "dev.sluice.e2e.SqlFile", file.toString())
                .run()
                .expectSuccess();
    }
}
