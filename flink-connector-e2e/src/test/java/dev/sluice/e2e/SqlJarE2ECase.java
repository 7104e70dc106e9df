/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Opens the SQL jar and looks at what is in it, without running any of it. */
final class SqlJarE2ECase {
    private static final String SERVICES = "META-INF/services/";
    private static final String FLINK_FACTORIES = SERVICES + "org.apache.flink.table.factories.Factory";
    private static final String FILE_SYSTEMS = SERVICES + "org.apache.paimon.fs.FileIOLoader";
    private static final String FORMATS = SERVICES + "org.apache.paimon.format.FileFormatFactory";

    private static ZipFile jar;
    private static ZipFile engine;
    private static ZipFile s3;

    @BeforeAll
    static void open() throws IOException {
        jar = open(Installed.sqlJar());
        engine = open(Installed.lib("official", "paimon-flink-2.0"));
        s3 = open(Installed.lib("paimon-s3", "paimon-s3"));
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
        engine.close();
        s3.close();
    }

    @Test
    void hasNothingThatAClusterOrAUserCouldHaveToo() {
        assertThat(names(jar))
                .noneMatch(name -> name.startsWith("org/apache/hadoop/")
                        || name.startsWith("org/apache/log4j/")
                        || name.startsWith("org/apache/commons/")
                        || name.startsWith("com/google/")
                        || name.startsWith("org/slf4j/")
                        || name.startsWith("org/apache/flink/"));
    }

    @Test
    void hasNoHadoopSettingsOrVersionUnderTheirOwnNames() {
        assertThat(names(jar))
                .filteredOn(name -> name.indexOf('/') < 0)
                .containsExactlyInAnyOrder("parquet.thrift", "common-version-info.dev.sluice.shaded.properties");
    }

    @Test
    void refersToNoHadoopButItsOwn() throws IOException {
        Pattern hadoop = Pattern.compile("(?<!dev/sluice/shaded/)(?<!org/apache/paimon/shade/)org/apache/hadoop/");
        List<String> found = new ArrayList<>();
        for (String name : names(jar)) {
            if (name.endsWith(".class")
                    && !name.startsWith("paimon-plugin-s3/")
                    && hadoop.matcher(new String(bytes(jar, name), StandardCharsets.ISO_8859_1))
                            .find()) {
                found.add(name);
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void registersOurFactoriesAndNoOthers() throws IOException {
        assertThat(providers(jar, FLINK_FACTORIES))
                .containsExactlyInAnyOrder(
                        "dev.sluice.flink.catalog.PaimonCatalogFactory", "dev.sluice.flink.table.PaimonTableFactory");
    }

    @Test
    void registersAllThatTheEngineDoes() throws IOException {
        for (String service : names(engine)) {
            if (service.startsWith(SERVICES)
                    && !service.endsWith("/")
                    && !service.equals(FLINK_FACTORIES)
                    && !service.equals(FILE_SYSTEMS)
                    && !service.equals(FORMATS)) {
                assertThat(providers(jar, service))
                        .as(service)
                        .containsExactlyInAnyOrderElementsOf(providers(engine, service));
            }
        }
    }

    /** The engine takes the first format of a name. */
    @Test
    void registersOurParquetBeforeTheEngines() throws IOException {
        List<String> formats = new ArrayList<>(providers(engine, FORMATS));
        formats.add(0, "dev.sluice.flink.store.parquet.ColumnarParquetFormatFactory");
        assertThat(providers(jar, FORMATS)).containsExactlyElementsOf(formats);
    }

    @Test
    void registersFileSystemsOfItsOwnOnly() throws IOException {
        assertThat(providers(engine, FILE_SYSTEMS))
                .containsExactlyInAnyOrder(
                        "org.apache.paimon.fs.local.LocalFileIOLoader",
                        "org.apache.paimon.fs.hadoop.HadoopFileIOLoader",
                        "org.apache.paimon.fs.hadoop.HadoopViewFsFileIOLoader");
        assertThat(providers(jar, FILE_SYSTEMS))
                .containsExactlyInAnyOrder(
                        "org.apache.paimon.fs.local.LocalFileIOLoader", "org.apache.paimon.s3.S3Loader");
    }

    @Test
    void hasTheClassOfEveryRelocatedService() throws IOException {
        for (String service : names(jar)) {
            if (service.startsWith(SERVICES + "dev.sluice.shaded.")) {
                assertThat(providers(jar, service))
                        .as(service)
                        .isNotEmpty()
                        .allMatch(provider -> jar.getEntry(provider.replace('.', '/') + ".class") != null);
            }
        }
    }

    @Test
    void keepsPaimonsPackages() {
        List<String> paimon = names(engine).stream()
                .filter(name -> name.startsWith("org/apache/paimon/") || name.startsWith("paimon-codegen/"))
                .filter(name -> !name.startsWith("paimon-codegen/META-INF/"))
                .toList();
        assertThat(paimon).hasSizeGreaterThan(20_000).allMatch(name -> jar.getEntry(name) != null);
        assertThat(names(jar)).noneMatch(name -> name.startsWith("dev/sluice/shaded/org/apache/paimon/"));
    }

    @Test
    void leavesAloneWhatSpeaksOfClassesByTheirRealNames() {
        for (String name : List.of(
                "org/apache/paimon/plugin/PluginLoader.class",
                "org/apache/paimon/fs/FileIO.class",
                "org/apache/paimon/shade/jackson2/com/fasterxml/jackson/databind/jsontype/impl/SubTypeValidator.class")) {
            assertThat(jar.getEntry(name).getCrc())
                    .as(name)
                    .isEqualTo(engine.getEntry(name).getCrc());
        }
    }

    @Test
    void hasTheS3PluginAsItIs() {
        // The plugin's class loader starts from this entry.
        assertThat(jar.getEntry("paimon-plugin-s3/")).isNotNull();
        assertThat(jar.getEntry("paimon-codegen/")).isNotNull();
        Map<String, Long> original = crcs(s3);
        Map<String, Long> ours = crcs(jar);
        assertThat(original).containsAllEntriesOf(ours);
        original.keySet().removeAll(ours.keySet());
        assertThat(original.keySet())
                .allMatch(name -> Pattern.matches(
                        "paimon-plugin-s3/(META-INF/versions/"
                                + "|software/amazon/awssdk/services/(glue|iam|dynamodb|lakeformation)/"
                                + "|com/amazonaws/services/dynamodbv2/"
                                + "|linux/(armv6|armv7|x86_32)/"
                                + "|windows/x86_32/).*",
                        name));
    }

    @Test
    void hasEveryEntryOnce() {
        assertThat(names(jar)).doesNotHaveDuplicates();
    }

    @Test
    void carriesLicencesAndNoSignatures() throws IOException {
        List<String> names = names(jar);
        assertThat(names)
                .contains(
                        "META-INF/LICENSE",
                        "META-INF/NOTICE",
                        "META-INF/licenses/paimon/LICENSE",
                        "META-INF/licenses/paimon/NOTICE",
                        "META-INF/licenses/paimon-s3/LICENSE",
                        "META-INF/licenses/paimon-s3/NOTICE",
                        "META-INF/licenses/hadoop/LICENSE.txt",
                        "META-INF/licenses/hadoop/NOTICE.txt",
                        "META-INF/licenses/slf4j/LICENSE.txt")
                .noneMatch(name -> name.startsWith("META-INF/maven/")
                        || name.startsWith("META-INF/versions/")
                        || name.equals("module-info.class")
                        || Pattern.matches("META-INF/[^/]*\\.(SF|RSA|DSA)", name));
        assertThat(new String(bytes(jar, "META-INF/LICENSE"), StandardCharsets.UTF_8))
                .contains("Apache License")
                .contains("Version 2.0, January 2004");
        assertThat(new String(bytes(jar, "META-INF/NOTICE"), StandardCharsets.UTF_8))
                .contains("Sluice", "Apache Paimon", "Apache Hadoop", "Guava", "SLF4J");
    }

    private static ZipFile open(Path path) throws IOException {
        return new ZipFile(path.toFile());
    }

    private static List<String> names(ZipFile zip) {
        return zip.stream().map(ZipEntry::getName).toList();
    }

    private static Map<String, Long> crcs(ZipFile zip) {
        Map<String, Long> crcs = new TreeMap<>();
        zip.stream()
                .filter(entry -> entry.getName().startsWith("paimon-plugin-s3/") && !entry.isDirectory())
                .forEach(entry -> crcs.put(entry.getName(), entry.getCrc()));
        return crcs;
    }

    private static List<String> providers(ZipFile zip, String service) throws IOException {
        assertThat(zip.getEntry(service)).as(service + " in " + zip.getName()).isNotNull();
        return new String(bytes(zip, service), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static byte[] bytes(ZipFile zip, String name) throws IOException {
        return zip.getInputStream(zip.getEntry(name)).readAllBytes();
    }
}
