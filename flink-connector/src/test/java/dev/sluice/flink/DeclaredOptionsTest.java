/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.option.CommitOptions;
import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import dev.sluice.flink.option.PaimonCatalogOptions;
import dev.sluice.flink.option.ReadLimitOptions;
import dev.sluice.flink.option.ReadOptions;
import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.option.WatermarkOptions;
import dev.sluice.flink.option.WriteOptions;
import dev.sluice.flink.option.WriterResourceOptions;
import dev.sluice.flink.resolve.CatalogDdl;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.settings.WriteSettings;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every option that is declared is described, known, and arrives where it is used. */
final class DeclaredOptionsTest {

    private static final List<Class<?>> DECLARING = List.of(
            TableOptions.class,
            ReadOptions.class,
            ReadLimitOptions.class,
            WatermarkOptions.class,
            LookupOptions.class,
            WriteOptions.class,
            CommitOptions.class,
            WriterResourceOptions.class,
            PaimonCatalogOptions.class);

    /** Read where a table is opened, before there are settings; the engine has the same keys. */
    private static final Set<String> READ_WHEN_OPENED = Set.of("path", "auto-create", "branch");

    /** Options that are only accepted together. */
    private static final Map<String, Map<String, String>> COMPANIONS = Map.of(
            "read.stream.min-rows-per-discovery", Map.of("read.stream.max-discovery-delay", "7 s"),
            "read.stream.max-discovery-delay", Map.of("read.stream.min-rows-per-discovery", "7"),
            "scan.watermark.alignment.group", Map.of("scan.watermark.alignment.max-drift", "7 s"),
            "scan.watermark.alignment.max-drift", Map.of("scan.watermark.alignment.group", "g"),
            "write.merge-schema.type-widening", Map.of("write.merge-schema", "true"),
            "write.merge-schema.explicit-cast",
                    Map.of("write.merge-schema", "true", "write.merge-schema.type-widening", "true"),
            "sink.writer-cpu", Map.of("sink.writer-memory", "64 mb"),
            "sink.writer-managed-memory", Map.of("sink.writer-memory", "64 mb"),
            "sink.committer-cpu", Map.of("sink.committer-memory", "64 mb"));

    static Stream<OptionSpec<?>> declared() {
        return Stream.concat(OptionRegistry.table().declared().stream(), OptionRegistry.catalog().declared().stream());
    }

    @ParameterizedTest
    @MethodSource("declared")
    void isDescribedWithItsUnitAndItsOrigin(OptionSpec<?> spec) {
        assertThat(spec.words().description())
                .as("description of %s", spec.key())
                .isNotBlank()
                .endsWith(".");
        assertThat(spec.words().unit()).as("unit of %s", spec.key()).isNotBlank();
        assertThat(spec.words().origins()).as("origins of %s", spec.key()).isNotEmpty();
        assertThat(spec.type().accepted()).as("accepted of %s", spec.key()).isNotBlank();
        if (spec.defaultText() != null) {
            assertThat(spec.type().accepts(spec.defaultText()))
                    .as("default of %s", spec.key())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("declared")
    void aValueThatIsNotTheDefaultArrivesWhereItIsUsed(OptionSpec<?> spec) {
        List<String> values = otherValues(spec);
        Map<String, String> without = new HashMap<>(COMPANIONS.getOrDefault(spec.key(), Map.of()));
        if (!without.isEmpty() && spec.defaultText() == null) {
            without.put(spec.key(), values.get(1)); // The companion alone would be refused.
        }
        List<String> spellings = new ArrayList<>(List.of(spec.key()));
        spec.aliases().forEach(alias -> spellings.add(alias.key()));
        for (String spelling : spellings) {
            Map<String, String> with = new HashMap<>(without);
            with.remove(spec.key());
            with.put(spelling, values.get(0));
            if (spec.settings() == null || READ_WHEN_OPENED.contains(spec.key())) {
                assertThat(byEngine(spec.key(), CatalogDdl.withPrimaryKeys(with)))
                        .as("the engine's view of %s", spelling)
                        .isNotEqualTo(byEngine(spec.key(), without));
            } else {
                assertThat(settings(spec, with)).as("settings with %s", with).isNotEqualTo(settings(spec, without));
            }
        }
    }

    @Test
    void everyConstantIsInTheRegistry() throws IllegalAccessException {
        for (Class<?> type : DECLARING) {
            for (Field field : type.getFields()) {
                if (field.getType() == ConfigOption.class) {
                    String key = ((ConfigOption<?>) field.get(null)).key();
                    OptionRegistry registry =
                            type == PaimonCatalogOptions.class ? OptionRegistry.catalog() : OptionRegistry.table();
                    assertThat(registry.find(key).orElseThrow().settings()).isSameAs(field.get(null));
                }
            }
        }
    }

    private static Object settings(OptionSpec<?> spec, Map<String, String> options) {
        Configuration configuration = Configuration.fromMap(options);
        return switch (spec.side()) {
            case READ -> ReadSettings.from(configuration);
            case WRITE -> WriteSettings.from(configuration);
            case LOOKUP -> LookupSettings.from(configuration);
            case CATALOG -> CatalogDdl.unknownOptions(options);
            case BOTH, TABLE -> throw new AssertionError(spec.key() + " is of no side that has settings");
        };
    }

    private static Object byEngine(String key, Map<String, String> options) {
        for (Class<?> type :
                List.of(CoreOptions.class, org.apache.paimon.flink.FlinkCatalogOptions.class, CatalogOptions.class)) {
            for (Field field : type.getFields()) {
                if (field.getType() == org.apache.paimon.options.ConfigOption.class) {
                    try {
                        var option = (org.apache.paimon.options.ConfigOption<?>) field.get(null);
                        if (option.key().equals(key)) {
                            Object value = Options.fromMap(options).get(option);
                            return value == null ? "unset" : value;
                        }
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        throw new AssertionError("The engine has no option " + key);
    }

    /** At least one; two where the option has no default. */
    private static List<String> otherValues(OptionSpec<?> spec) {
        String present = spec.defaultText() == null ? "" : spec.defaultText();
        Stream<String> candidates = spec.type().name().equals("Enum")
                ? Stream.of(spec.type().accepted().substring("one of ".length()).split(", "))
                : Stream.of(
                        "true",
                        "false",
                        "37",
                        "38",
                        "37 s",
                        "38 s",
                        "37 mb",
                        "38 mb",
                        "3.5",
                        "2026-01-01 00:00->2026-01-01 01:00",
                        "some-text",
                        "other-text");
        return candidates
                .filter(text -> spec.type().accepts(text) && !spec.type().same(text, present))
                .toList();
    }
}
