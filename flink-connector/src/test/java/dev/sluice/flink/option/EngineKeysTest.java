/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.paimon.CoreOptions;
import org.junit.jupiter.api.Test;

/** Holds the list of the engine's option classes to what the engine's jar really contains. */
final class EngineKeysTest {

    /** Declare options that no table or catalog carries, or whose keys {@link KeyPatterns} knows. */
    private static final Set<String> KNOWN_OTHERWISE =
            Set.of("org.apache.paimon.format.avro.AvroFileFormat", "org.apache.paimon.utils.HadoopUtils");

    @Test
    void everyClassOfTheEngineThatDeclaresOptionsIsRead() throws IOException {
        Set<String> declaring = declaringClasses();

        Set<String> read = new TreeSet<>(KNOWN_OTHERWISE);
        EngineOptions.TABLE_CLASSES.forEach(type -> read.add(type.getName()));
        EngineOptions.CATALOG_CLASSES.forEach(type -> read.add(type.getName()));

        assertThat(declaring).hasSizeGreaterThan(15);
        assertThat(read).containsAll(declaring);
    }

    @Test
    void everyEngineDefaultIsAcceptedByItsOwnOption() {
        assertThat(OptionRegistry.table().all())
                .filteredOn(spec ->
                        spec.defaultText() != null && !spec.defaultText().isEmpty())
                .allSatisfy(spec -> assertThat(spec.type().accepts(spec.defaultText()))
                        .as("%s = %s", spec.key(), spec.defaultText())
                        .isTrue());
    }

    @Test
    void whatTheEngineNeverChangesDefinesTheTable() {
        assertThat(CoreOptions.IMMUTABLE_OPTIONS).allSatisfy(key -> {
            OptionSpec<?> spec = OptionRegistry.table().find(key).orElseThrow();
            assertThat(spec.place().definesTable()).as(key).isTrue();
            assertThat(spec.place().fixed()).as(key).isTrue();
            assertThat(spec.place().dynamic()).as(key).isFalse();
        });
    }

    @Test
    void noKeyOfFlinkIsAnOptionThatASessionCouldSet() throws IllegalAccessException {
        for (Class<?> type : new Class<?>[] {
            ExecutionOptions.class,
            PipelineOptions.class,
            CheckpointingOptions.class,
            StateBackendOptions.class,
            TaskManagerOptions.class,
            JobManagerOptions.class,
            org.apache.flink.configuration.CoreOptions.class,
            ExecutionConfigOptions.class,
            OptimizerConfigOptions.class,
            TableConfigOptions.class
        }) {
            for (var field : type.getFields()) {
                if (field.getType() == org.apache.flink.configuration.ConfigOption.class) {
                    String key = ((org.apache.flink.configuration.ConfigOption<?>) field.get(null)).key();
                    assertThat(OptionRegistry.table().isDeclared(key)).as(key).isFalse();
                }
            }
        }
    }

    @Test
    void keysWithANameInsideAreKnownAndTheirMisspellingsAreNot() {
        OptionRegistry registry = OptionRegistry.table();

        assertThat(registry.find("fields.a.aggregate-function")).isPresent();
        assertThat(registry.find("fields.a,b.sequence-group")).isPresent();
        assertThat(registry.find("fields.größe.ignore-retract")).isPresent();
        assertThat(registry.find("file-index.bloom-filter.columns")).isPresent();
        assertThat(registry.find("file-index.bloom-filter.a.fpp")).isPresent();
        assertThat(registry.find("orc.compress")).isPresent();
        assertThat(registry.find("s3.endpoint")).isPresent();
        assertThat(registry.find("fields.a.agregate-function")).isEmpty();
        assertThat(registry.nearest("fields.a.agregate-function")).containsExactly("fields.a.aggregate-function");
        assertThat(registry.find("file-index.bloom-filter")).isEmpty();
        assertThat(registry.find("s3.")).isEmpty();
        assertThat(registry.find("csv.field-delimter")).isEmpty();
    }

    @Test
    void aSpellingThatTwoOptionsShareIsNotTurnedIntoOneOfThem() {
        OptionSpec<?> shared = OptionRegistry.table().find("lineSep").orElseThrow();

        assertThat(shared.key()).isEqualTo("lineSep");
        assertThat(OptionRegistry.table().isSessionName("lineSep")).isFalse();
        assertThat(OptionRegistry.table().find("file.compression").orElseThrow().key())
                .isEqualTo("file.compression");
    }

    @Test
    void nearestKeysForgiveSeparatorsCaseOrderAndSlips() {
        OptionRegistry registry = OptionRegistry.table();

        assertThat(registry.nearest("scan_snapshot_id")).startsWith("scan.snapshot-id");
        assertThat(registry.nearest("Scan.SnapshotId")).startsWith("scan.snapshot-id");
        assertThat(registry.nearest("snapshot-id.scan")).contains("scan.snapshot-id");
        assertThat(registry.nearest("bukcet")).startsWith("bucket");
        assertThat(registry.nearest("completely-different-thing-altogether")).isEmpty();
    }

    private static Set<String> declaringClasses() throws IOException {
        Set<String> names = new TreeSet<>();
        try (JarFile jar = new JarFile(engineJar().toFile())) {
            for (JarEntry entry : jar.stream().toList()) {
                if (entry.getName().endsWith(".class") && declaresOption(jar, entry)) {
                    names.add(entry.getName().replace('/', '.').replace(".class", ""));
                }
            }
        }
        return names;
    }

    /** A class that only uses the type has it in its constants too, so what counts is a static field of that type. */
    private static boolean declaresOption(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream bytes = jar.getInputStream(entry)) {
            byte[] content = bytes.readAllBytes();
            String text = new String(content, StandardCharsets.ISO_8859_1);
            return text.contains("Lorg/apache/paimon/options/ConfigOption;") && StaticFields.hasOption(content);
        }
    }

    private static Path engineJar() {
        String location = CoreOptions.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return Path.of(location);
    }
}
