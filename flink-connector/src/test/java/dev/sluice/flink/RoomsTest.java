/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Holds the table of rooms in the README: who may import whom, and what of Paimon's Flink side is off the path. */
final class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.sluice.flink");

    private static final String LISTENERS_ADAPTER = "dev[.]sluice[.]flink[.]store[.]CommitListeners([$].*)?";

    @Test
    void roomsImportOnlyWhatTheTableAllows() {
        ArchRule rule = layeredArchitecture()
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
                        resideInAPackage("dev.sluice.flink.catalog.."), resideInAPackage("dev.sluice.flink.table.."))
                .whereLayer("catalog")
                .mayNotBeAccessedByAnyLayer();
        rule.check(CLASSES);
    }

    @Test
    void nothingOfTheOfficialRuntimeIsOnThePath() {
        ArchRule rule = noClasses()
                .that(are(not(nameMatching(LISTENERS_ADAPTER))))
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
        rule.check(CLASSES);
    }

    /**
     * Users have classes that implement the listener interfaces of the official sink. One class of ours calls them, and it
     * takes the interfaces and what their methods are given, nothing of the sink behind them.
     */
    @Test
    void onlyTheInterfacesOfCommitListenersAreTakenFromTheOfficialSink() {
        ArchRule rule = noClasses()
                .that(are(nameMatching(LISTENERS_ADAPTER)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "org.apache.paimon.flink.sink..",
                                "org.apache.paimon.flink.source..",
                                "org.apache.paimon.flink.lookup..")
                        .and(not(nameMatching("org[.]apache[.]paimon[.]flink[.]sink[.]"
                                + "(listener[.]CommitListener(Factory)?|state[.]StateStore|Committer([$]Context)?)"))));
        rule.check(CLASSES);
    }

    @Test
    void theStoreIsTheOnlyDoorToTheEngine() {
        ArchRule rule = noClasses()
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
        rule.check(CLASSES);
    }
}
