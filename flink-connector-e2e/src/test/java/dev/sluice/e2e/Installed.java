/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the build has put on disk for the tests: the SQL jar, plain Flinks, the jars of others. */
final class Installed {
    private Installed() {}

    static String property(String key) {
        String value = System.getProperty(key);
        if (value == null) {
            throw new IllegalStateException("System property '" + key + "' is not set; flink-connector-e2e/pom.xml sets"
                    + " it, so run these tests with Maven: mvn verify");
        }
        return value;
    }

    static Path sqlJar() {
        Path jar = Path.of(property("e2e.sql.jar"));
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    "No SQL jar at " + jar + "; 'mvn verify' of the whole project packages it before these tests");
        }
        return jar;
    }

    /** The program classes of this module, for child JVMs. */
    static Path classes() {
        return Path.of(property("e2e.classes"));
    }

    /** The class path of a Flink as it is released, without any connector to Paimon. */
    static List<Path> flink(String minorVersion) throws IOException {
        Path file = Path.of(property("e2e.flinks"), minorVersion, "target", "classpath");
        return Stream.of(Files.readString(file).strip().split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    /** A plain Flink followed by the SQL jar, as if the jar lay in Flink's {@code lib/}. */
    static List<Path> flinkWithSqlJar(String minorVersion) throws IOException {
        return joined(flink(minorVersion), List.of(sqlJar()), List.of(classes()));
    }

    /** The same with the TPC-H source of the examples, as a user would add a second connector. */
    static List<Path> flinkWithSqlJarAndTpch(String minorVersion) throws IOException {
        return joined(flinkWithSqlJar(minorVersion), List.of(Path.of(property("e2e.examples.classes"))), lib("tpch"));
    }

    /** The SQL files behind {@code ./quickstart}, in their order. */
    static List<Path> quickstartFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(property("e2e.examples.sql"), "quickstart"))) {
            return files.sorted().toList();
        }
    }

    /** A plain Flink with Paimon's own connector; Flink first, because that jar has stubs of newer Flink classes. */
    static List<Path> flinkWithOfficialConnector(String minorVersion) throws IOException {
        return joined(flink(minorVersion), lib("official"), List.of(classes()));
    }

    /** All jars of a folder that the build filled: official, hadoop, s3proxy, paimon-s3. */
    static List<Path> lib(String folder) throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(property("e2e.lib"), folder))) {
            return jars.sorted().toList();
        }
    }

    static Path lib(String folder, String prefix) throws IOException {
        return lib(folder).stream()
                .filter(jar -> jar.getFileName().toString().startsWith(prefix))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No " + prefix + " in lib/" + folder));
    }

    @SafeVarargs
    static List<Path> joined(List<Path>... parts) {
        List<Path> all = new ArrayList<>();
        for (List<Path> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
