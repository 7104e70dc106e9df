/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sluice and Paimon's own connector on each other's tables: four JVMs one after the other, which all tests look at.
 * The one reads what the other wrote and goes on writing, in two warehouses, so that each of them is the first once.
 */
final class InteroperationE2ECase {
    @TempDir
    private static Path folder;

    private static ChildJvm.Finished sluice;
    private static ChildJvm.Finished official;
    private static ChildJvm.Finished sluiceAgain;
    private static ChildJvm.Finished officialAgain;

    @BeforeAll
    static void takeTurns() throws Exception {
        sluice = run(
                "interoperation-1-sluice",
                Installed.flinkWithSqlJar("2.2"),
                use("ours")
                        + AllTypes.write()
                        + AllTypes.read("ours")
                        + TableKinds.create()
                        + TableKinds.write(1)
                        + TableKinds.read("ours after 1"));
        official = run(
                "interoperation-2-official",
                Installed.flinkWithOfficialConnector("2.2"),
                use("ours")
                        + AllTypes.read("ours")
                        + AllTypes.writeOneMore()
                        + TableKinds.read("ours after 1")
                        + TableKinds.write(2)
                        + TableKinds.read("ours after 2")
                        + use("theirs")
                        + AllTypes.write()
                        + AllTypes.read("theirs")
                        + TableKinds.create()
                        + TableKinds.write(1)
                        + TableKinds.read("theirs after 1"));
        sluiceAgain = run(
                "interoperation-3-sluice",
                Installed.flinkWithSqlJar("2.2"),
                use("theirs")
                        + AllTypes.read("theirs")
                        + AllTypes.writeOneMore()
                        + AllTypes.read("theirs and ours")
                        + TableKinds.read("theirs after 1")
                        + TableKinds.write(2)
                        + TableKinds.read("theirs after 2")
                        + use("ours")
                        + AllTypes.read("ours and theirs")
                        + TableKinds.read("ours after 2")
                        + TableKinds.write(3)
                        + TableKinds.read("ours after 3"));
        officialAgain = run(
                "interoperation-4-official",
                Installed.flinkWithOfficialConnector("2.2"),
                use("ours")
                        + TableKinds.read("ours after 3")
                        + use("theirs")
                        + TableKinds.read("theirs after 2")
                        + TableKinds.write(3)
                        + TableKinds.read("theirs after 3"));
    }

    @Test
    void eachReadsEveryTypeThatTheOtherWrote() {
        AllTypes.check(sluice, "ours");
        AllTypes.check(official, "ours");
        AllTypes.check(official, "theirs");
        AllTypes.check(sluiceAgain, "theirs");
        AllTypes.checkOneMore(sluiceAgain, "theirs and ours");
        AllTypes.checkOneMore(sluiceAgain, "ours and theirs");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theOfficialConnectorContinuesOurTableAndWeContinueIt(String table) {
        TableKinds.check(sluice, "ours after 1", table, 1);
        TableKinds.check(official, "ours after 1", table, 1);
        TableKinds.check(official, "ours after 2", table, 2);
        TableKinds.check(sluiceAgain, "ours after 2", table, 2);
        TableKinds.check(sluiceAgain, "ours after 3", table, 3);
        TableKinds.check(officialAgain, "ours after 3", table, 3);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void weContinueTheirTableAndTheyContinueIt(String table) {
        TableKinds.check(official, "theirs after 1", table, 1);
        TableKinds.check(sluiceAgain, "theirs after 1", table, 1);
        TableKinds.check(sluiceAgain, "theirs after 2", table, 2);
        TableKinds.check(officialAgain, "theirs after 2", table, 2);
        TableKinds.check(officialAgain, "theirs after 3", table, 3);
    }

    static Stream<String> kinds() {
        return TableKinds.names().stream();
    }

    private static String use(String name) {
        return """
                SET 'table.local-time-zone' = 'UTC';
                SET 'parallelism.default' = '2';
                SET 'execution.batch.adaptive.auto-parallelism.min-parallelism' = '2';
                CREATE CATALOG %s WITH ('type'='paimon', 'warehouse'='%s');
                USE CATALOG %s;
                """.formatted(name, folder.toUri() + name, name);
    }

    private static ChildJvm.Finished run(String name, List<Path> classPath, String sql)
            throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve(name + ".sql"), sql);
        return ChildJvm.of(name, classPath, "dev.sluice.e2e.SqlFile", file.toString())
                .run()
                .expectSuccess();
    }
}
