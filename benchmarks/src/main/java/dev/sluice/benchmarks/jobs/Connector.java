/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a process has on its class path beside Flink. */
enum Connector {
    SLUICE,
    /** Paimon's own. */
    OFFICIAL,
    ICEBERG;

    private static final List<String> OF_SLUICE = List.of("sluice-flink-connector", "sluice-paimon-engine");
    /** Iceberg asks for more of Hadoop than there is of it on the path, and brings a whole one. */
    private static final List<String> OF_HADOOP = List.of("hadoop-common", "hadoop-mapreduce-client-core");

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Creates a catalog of the connector's own kind. */
    String catalog(String name, URI warehouse) {
        String kind = this == ICEBERG ? "'type'='iceberg', 'catalog-type'='hadoop'" : "'type'='paimon'";
        return "CREATE CATALOG " + name + " WITH (" + kind + ", 'warehouse'='" + warehouse + "')";
    }

    /** @param libraries holds a folder of jars for each connector but Sluice, which is what this process runs with */
    String classPath(Path libraries) throws IOException {
        Stream<String> own = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
        if (this == SLUICE) {
            return String.join(File.pathSeparator, own.toList());
        }
        List<String> replaced = new ArrayList<>(OF_SLUICE);
        if (this == ICEBERG) {
            replaced.addAll(OF_HADOOP);
        }
        Stream<String> others = own.filter(entry ->
                replaced.stream().noneMatch(Path.of(entry).getFileName().toString()::startsWith));
        // After Flink, as in its lib folder: the official jar has classes of Flink's names in it.
        try (Stream<Path> jars = Files.list(libraries.resolve(label()))) {
            return String.join(
                    File.pathSeparator,
                    Stream.concat(others, jars.map(Path::toString).sorted()).toList());
        }
    }
}
