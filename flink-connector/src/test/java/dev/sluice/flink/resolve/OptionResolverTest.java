/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.resolve.OptionResolver.Use;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OptionResolverTest {

    private static final Map<String, String> NONE = Map.of();

    @Test
    void theStrongestScopeWinsAndTheOthersAreRemembered() {
        ResolvedOptions resolved = read(
                Tables.keyed(Map.of("scan.parallelism", "1")),
                Map.of(
                        "scan.parallelism", "2",
                        "paimon.*.*.t.scan.parallelism", "3",
                        "paimon.cat.db.t.scan.parallelism", "4"),
                Map.of("scan.parallelism", "5"));

        ResolvedOption option = resolved.get("scan.parallelism").orElseThrow();

        assertThat(option.value()).isEqualTo("5");
        assertThat(option.scope()).isEqualTo(Scope.STATEMENT);
        assertThat(option.overrode())
                .extracting(ResolvedOption.Overridden::value)
                .containsExactly("4", "3", "2", "1");
        assertThat(option.shownOverrode())
                .isEqualTo("4 (SET 'paimon.cat.db.t.scan.parallelism' in this session);"
                        + " 3 (SET 'paimon.*.*.t.scan.parallelism' in this session);"
                        + " 2 (SET 'scan.parallelism' in this session);"
                        + " 1 (stored with the table)");
    }

    @Test
    void moreNamedPartsWinAndOnATieTheTableThenTheDatabase() {
        assertThat(winner("paimon.cat.db.*.scan.parallelism", "paimon.*.*.t.scan.parallelism"))
                .isEqualTo("first");
        assertThat(winner("paimon.*.*.t.scan.parallelism", "paimon.*.db.*.scan.parallelism"))
                .isEqualTo("first");
        assertThat(winner("paimon.*.db.*.scan.parallelism", "paimon.cat.*.*.scan.parallelism"))
                .isEqualTo("first");
        assertThat(winner("paimon.*.db.t.scan.parallelism", "paimon.cat.db.*.scan.parallelism"))
                .isEqualTo("first");
        assertThat(winner("paimon.*.*.*.scan.parallelism", "scan.parallelism")).isEqualTo("first");
    }

    private static String winner(String first, String second) {
        ResolvedOptions resolved = read(Tables.keyed(NONE), Map.of(first, "1", second, "2"), NONE);
        return resolved.get("scan.parallelism").orElseThrow().value().equals("1") ? "first" : "second";
    }

    @Test
    void namesAreComparedAsText() {
        String key = ".scan.parallelism";
        assertThat(reaches("paimon.`a.b`.db.t" + key, Tables.named("a.b", "db", "t")))
                .isTrue();
        assertThat(reaches("paimon.`a.b`.db.t" + key, Tables.named("axb", "db", "t")))
                .isFalse();
        assertThat(reaches("paimon.c.d+1.t" + key, Tables.named("c", "d+1", "t")))
                .isTrue();
        assertThat(reaches("paimon.c.d+1.t" + key, Tables.named("c", "dd1", "t")))
                .isFalse();
        assertThat(reaches("paimon.c.d.a(b" + key, Tables.named("c", "d", "a(b")))
                .isTrue();
        assertThat(reaches("paimon.c.d.`it's ``x```" + key, Tables.named("c", "d", "it's `x`")))
                .isTrue();
        assertThat(reaches("paimon.c.d.bestellung_größe" + key, Tables.named("c", "d", "bestellung_größe")))
                .isTrue();
        assertThat(reaches("paimon.c.d.`*`" + key, Tables.named("c", "d", "t"))).isFalse();
        assertThat(reaches("paimon.c.d.t" + key, Tables.named("c", "d", "t$branch_b")))
                .isTrue();
        assertThat(reaches("paimon.c.d.t$branch_b" + key, Tables.named("c", "d", "t$branch_b")))
                .isTrue();
        assertThat(reaches("paimon.c.d.t$branch_b" + key, Tables.named("c", "d", "t")))
                .isFalse();
        assertThat(reaches("paimon.c.d.t" + key, Tables.named("c", "d", "tt"))).isFalse();
        assertThat(reaches("paimon.C.d.t" + key, Tables.named("c", "d", "t"))).isFalse();
    }

    private static boolean reaches(String key, TableFacts table) {
        return read(table, Map.of(key, "3"), NONE).get("scan.parallelism").isPresent();
    }

    @Test
    void aMalformedKeyForSelectedTablesIsNamedWithItsForm() {
        assertThatThrownBy(() -> read(Tables.keyed(NONE), Map.of("paimon.cat.scan-mode", "x"), NONE))
                .isInstanceOf(OptionException.class)
                .hasMessage("Table cat.db.t, option 'paimon.cat.scan-mode' = 'x' (SET 'paimon.cat.scan-mode' in this"
                        + " session): a key for selected tables has the form"
                        + " 'paimon.<catalog>.<database>.<table>.<option>', each of the three a name, a name in"
                        + " back-quotes, or * for any. RESET 'paimon.cat.scan-mode' and set it in that form.");
    }

    @Test
    void readOptionsOfASessionReachSourcesOnlyAndWriteOptionsSinksOnly() {
        Map<String, String> session = Map.of(
                "scan.snapshot-id", "1", "sink.parallelism", "2", "file.compression", "lz4", "lookup.async", "true");

        assertThat(read(Tables.keyed(NONE), session, NONE).toMap())
                .containsOnlyKeys("scan.snapshot-id", "file.compression", "lookup.async");
        assertThat(write(Tables.keyed(NONE), session, NONE).toMap())
                .containsOnlyKeys("sink.parallelism", "file.compression");
    }

    @Test
    void aHintOnTheWrongSideIsAnError() {
        assertThatThrownBy(() -> write(Tables.keyed(NONE), NONE, Map.of("scan.snapshot-id", "1")))
                .isInstanceOf(OptionException.class)
                .hasMessage("Table cat.db.t, option 'scan.snapshot-id' = '1' (hint of this statement): it is a read"
                        + " option and this reference to the table is written. Put the hint on the reference that is"
                        + " read, or leave it out.");
    }

    @Test
    void flinksOwnKeysNeverBecomeTableOptions() {
        Map<String, String> flink = Map.of(
                "execution.runtime-mode", "batch",
                "parallelism.default", "3",
                "s3.endpoint", "http://x",
                "fs.default-scheme", "s3://b",
                "table.exec.resource.default-parallelism", "2",
                "orc.anything", "1",
                "mode", "permissive",
                "warehouse", "/tmp");

        assertThat(read(Tables.keyed(NONE), flink, NONE).toMap()).isEmpty();
    }

    @Test
    void nothingLeaksToAnotherTable() {
        Map<String, String> session = Map.of("paimon.cat.db.other.scan.snapshot-id", "1");

        assertThat(read(Tables.keyed(NONE), session, NONE).toMap()).isEmpty();
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        assertThatThrownBy(() -> read(
                        Tables.keyed(Map.of("bucket", "2")),
                        Map.of("paimon.*.*.t.scan.boundd", "true"),
                        Map.of("scan.bounded", "ture", "bucket", "4", "snapshot-id", "3")))
                .isInstanceOf(OptionException.class)
                .hasMessage("Table cat.db.t has 4 problems with its options."
                        + "\n  1. 'scan.boundd' = 'true' (SET 'paimon.*.*.t.scan.boundd' in this session): no"
                        + " option has this key. Nearest known: 'scan.bounded'. Use it, or RESET"
                        + " 'paimon.*.*.t.scan.boundd'."
                        + "\n  2. 'bucket' = '4' (hint of this statement): it defines the table, which has '2',"
                        + " and neither a session nor a statement can change that. ALTER TABLE cat.db.t SET"
                        + " ('bucket' = '4') changes it for new files; INSERT OVERWRITE then rewrites the old"
                        + " ones; here take it out of the hint."
                        + "\n  3. 'scan.bounded' = 'ture' (hint of this statement): the value is not accepted;"
                        + " accepted is true or false. Write it so, or take it out of the hint."
                        + "\n  4. 'snapshot-id' = '3' (hint of this statement): 'snapshot-id' is Iceberg's"
                        + " spelling; on a Paimon table this is `scan.snapshot-id`. Replace it, or take it out"
                        + " of the hint.");
    }

    @Test
    void aHintMayRestateWhatDefinesTheTable() {
        TableFacts table = Tables.keyed(Map.of("bucket", "2", "merge-engine", "partial-update"));

        ResolvedOptions resolved = write(
                table,
                Map.of("bucket", "2"),
                Map.of("merge-engine", "PARTIAL-UPDATE", "primary-key", "k, p", "changelog-producer", "none"));

        assertThat(resolved.dynamic()).isEmpty();
    }

    @Test
    void whatNothingCanChangeIsSaidSo() {
        assertThatThrownBy(() -> write(Tables.keyed(NONE), Map.of("merge-engine", "first-row"), NONE))
                .isInstanceOf(OptionException.class)
                .hasMessage("Table cat.db.t, option 'merge-engine' = 'first-row' (SET 'merge-engine' in this session):"
                        + " it defines the table, which has 'deduplicate', and neither a session nor a statement can"
                        + " change that. Nothing can change it in this table: create another one with it and copy the"
                        + " rows; here RESET 'merge-engine'.");
    }

    @Test
    void aStoredForeignKeyIsAWarning() {
        ResolvedOptions resolved = read(Tables.keyed(Map.of("from.the.future", "1")), NONE, NONE);

        assertThat(resolved.toMap()).containsEntry("from.the.future", "1");
        assertThat(resolved.warnings())
                .extracting(OptionProblem::words)
                .containsExactly("'from.the.future' = '1' (stored with the table): no option of this connector or of"
                        + " the engine has this key, so it has no effect here. Leave it if another engine needs it,"
                        + " else ALTER TABLE cat.db.t RESET ('from.the.future').");
    }

    @Test
    void aCatalogCanTurnUnknownKeysIntoWarnings() {
        ResolvedOptions resolved = OptionResolver.resolve(
                Tables.keyed(NONE), Map.of("unknown-options", "warn"), NONE, Map.of("no.such", "1"), Use.READ);

        assertThat(resolved.dynamic()).containsEntry("no.such", "1");
        assertThat(resolved.warnings()).hasSize(1);
    }

    @Test
    void otherSpellingsAreTheSameOption() {
        ResolvedOptions resolved = read(
                Tables.keyed(Map.of("read.stream.maxFilesPerTrigger", "10")),
                NONE,
                Map.of("read.stream.max-files-per-discovery", "3"));

        assertThat(resolved.toMap()).isEqualTo(Map.of("read.stream.max-files-per-discovery", "3"));
    }

    @Test
    void twoSpellingsInOneScopeContradict() {
        assertThatThrownBy(() -> read(
                        Tables.keyed(NONE),
                        NONE,
                        Map.of("read.stream.maxFilesPerTrigger", "1", "read.stream.max-files-per-discovery", "3")))
                .hasMessageContaining("it contradicts 'read.stream.max-files-per-discovery' = '3' (hint of this"
                        + " statement), which is as specific. Keep one of the two.");
    }

    @Test
    void equallySpecificSessionKeysContradict() {
        assertThatThrownBy(() -> read(
                        Tables.keyed(NONE),
                        Map.of("paimon.cat.*.*.scan.parallelism", "1", "paimon.`cat`.*.*.scan.parallelism", "2"),
                        NONE))
                .hasMessageContaining("which is as specific");
    }

    @Test
    void secretsAreNotShown() {
        assertThatThrownBy(() -> read(Tables.keyed(NONE), NONE, Map.of("s3.secret-key", "hunter2")))
                .isInstanceOf(OptionException.class)
                .hasMessageContaining("'s3.secret-key' = '******'")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> read(Tables.keyed(NONE), NONE, Map.of("urii", "jdbc:mysql://me:hunter2@host/db")))
                .hasMessageContaining("jdbc:mysql://me:******@host/db")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void conflictsNameBothWithTheirScopes() {
        assertThatThrownBy(() ->
                        read(Tables.keyed(NONE), Map.of("scan.timestamp-millis", "5"), Map.of("scan.snapshot-id", "1")))
                .hasMessage("Table cat.db.t, option 'scan.snapshot-id' = '1' (hint of this statement): it excludes"
                        + " 'scan.timestamp-millis' = '5' (SET 'scan.timestamp-millis' in this session): both say where"
                        + " the read begins. Keep one of the two: for this one, RESET 'scan.timestamp-millis'.");
    }

    @Test
    void aCatalogOptionOnATableIsSaidSo() {
        assertThatThrownBy(() -> read(Tables.keyed(NONE), NONE, Map.of("warehouse", "/tmp")))
                .hasMessageContaining("it is an option of a catalog, not of a table. Give it to CREATE CATALOG");
    }

    @Test
    void aTableWithoutACatalogTakesBothSidesAndStorageFromItsWithClause() {
        ResolvedOptions resolved = OptionResolver.resolveDeclared(
                Tables.keyed(Map.of("bucket", "2")),
                NONE,
                Map.of(
                        "connector", "paimon",
                        "path", "/tmp/t",
                        "bucket", "2",
                        "s3.endpoint", "http://x",
                        "sink.parallelism", "2",
                        "scan.parallelism", "3"),
                Use.READ);

        assertThat(resolved.dynamic()).isEqualTo(Map.of("scan.parallelism", "3", "sink.parallelism", "2"));
        assertThatThrownBy(() -> OptionResolver.resolveDeclared(
                        Tables.keyed(Map.of("bucket", "2")), NONE, Map.of("bucket", "3", "pth", "x"), Use.READ))
                .hasMessageContaining("2 problems");
    }

    @Test
    void effectiveListsDefaultsOfThisSide() {
        ResolvedOptions resolved = read(Tables.keyed(NONE), NONE, Map.of("scan.parallelism", "3"));

        assertThat(resolved.effective())
                .anySatisfy(option -> {
                    assertThat(option.key()).isEqualTo("continuous.discovery-interval");
                    assertThat(option.value()).isEqualTo("10 s");
                    assertThat(option.scope()).isEqualTo(Scope.DEFAULT);
                })
                .noneSatisfy(option -> assertThat(option.key()).startsWith("sink."));
        assertThat(resolved.listing().lines())
                .contains(
                        "scan.parallelism = 3  [hint of this statement]",
                        "continuous.discovery-interval = 10 s  [default]")
                .hasSameSizeAs(resolved.effective());
    }

    private static ResolvedOptions read(TableFacts table, Map<String, String> session, Map<String, String> hint) {
        return OptionResolver.resolve(table, NONE, session, hint, Use.READ);
    }

    private static ResolvedOptions write(TableFacts table, Map<String, String> session, Map<String, String> hint) {
        return OptionResolver.resolve(table, NONE, session, hint, Use.WRITE);
    }
}
