/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the table of rooms in the README: who may import whom, and what of Paimon's Flink side is off the path. */
@AnalyzeClasses(packages = "dev.sluice.flink", importOptions = ImportOption.DoNotIncludeTests.class)
final class RoomsTest {

    @ArchTest
    static final ArchRule ROOMS_IMPORT_ONLY_WHAT_THE_TABLE_ALLOWS = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.sluice.flink..")
            .withOptionalLayers(true)
            .layer("option")
            .definedBy("dev.sluice.flink.option..")
            .layer("resolve")
            .definedBy("dev.sluice.flink.resolve..")
            .layer("settings")
            .definedBy("dev.sluice.flink.settings..")
            .layer("store")
            .definedBy("dev.sluice.flink.store..")
            .layer("convert")
            .definedBy("dev.sluice.flink.convert..")
            .layer("source")
            .definedBy("dev.sluice.flink.source..")
            .layer("sink")
            .definedBy("dev.sluice.flink.sink..")
            .layer("lookup")
            .definedBy("dev.sluice.flink.lookup..")
            .layer("catalog")
            .definedBy("dev.sluice.flink.catalog..")
            .layer("table")
            .definedBy("dev.sluice.flink.table..")
            .whereLayer("option")
            .mayNotAccessAnyLayer()
            .whereLayer("resolve")
            .mayOnlyAccessLayers("option")
            .whereLayer("settings")
            .mayOnlyAccessLayers("option")
            .whereLayer("store")
            .mayOnlyAccessLayers("settings")
            .whereLayer("convert")
            .mayOnlyAccessLayers("store")
            .whereLayer("source")
            .mayOnlyAccessLayers("store", "convert", "settings")
            .whereLayer("sink")
            .mayOnlyAccessLayers("store", "convert", "settings")
            .whereLayer("lookup")
            .mayOnlyAccessLayers("store", "convert", "settings")
            .whereLayer("catalog")
            .mayOnlyAccessLayers("resolve", "settings", "store", "table")
            .whereLayer("table")
            .mayNotBeAccessedByAnyLayer()
            .ignoreDependency(
                    com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage(
                            "dev.sluice.flink.catalog.."),
                    com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage("dev.sluice.flink.table.."))
            .whereLayer("catalog")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule NOTHING_OF_THE_OFFICIAL_RUNTIME_IS_ON_THE_PATH = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.paimon.flink.sink..",
                    "org.apache.paimon.flink.source..",
                    "org.apache.paimon.flink.lookup..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.apache.paimon.flink.FlinkTableFactory")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.apache.paimon.flink.AbstractFlinkTableFactory");

    @ArchTest
    static final ArchRule THE_STORE_IS_THE_ONLY_DOOR_TO_THE_ENGINE = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.sluice.flink.option..",
                    "dev.sluice.flink.settings..",
                    "dev.sluice.flink.convert..",
                    "dev.sluice.flink.source..",
                    "dev.sluice.flink.sink..",
                    "dev.sluice.flink.lookup..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.paimon.catalog..",
                    "org.apache.paimon.operation..",
                    "org.apache.paimon.manifest..",
                    "org.apache.paimon.mergetree..",
                    "org.apache.paimon.schema..",
                    "org.apache.paimon.fs..",
                    "org.apache.paimon.io..");
}
