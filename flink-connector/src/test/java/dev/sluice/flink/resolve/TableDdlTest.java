/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableDdlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bucket | 4 | ALTER TABLE SET | a table cannot change between fixed buckets and none; it has '-1'. Create another table
            merge-engine | first-row | ALTER TABLE SET | it is fixed when a table is created; the table has 'deduplicate'. Nothing can change it
            rowkind.field | kind | ALTER TABLE SET | it is fixed when a table is created; the table has none
            deletion-vectors.enabled | true | ALTER TABLE SET | switching deletion vectors without a full compaction can show rows twice
            ignore-delete | false | ALTER TABLE SET | it can be switched on but not off again
            sequence.field | nope | ALTER TABLE SET | the table has no column 'nope'
            no.such | 1 | ALTER TABLE SET | no option has this key
            scan.bounded | ture | ALTER TABLE SET | the value is not accepted; accepted is true or false
            """)
    void alterRefusesWhatCannotChange(String key, String value, String where, String message) {
        assertThatThrownBy(() -> alter(Map.of("ignore-delete", "true"), Map.of(key, value)))
                .isInstanceOf(OptionException.class)
                .hasMessageContaining(
                        "Table cat.db.t, option '" + key + "' = '" + value + "' (" + where + "): " + message);
    }

    @Test
    void alterAcceptsWhatCanChangeAndWhatRestates() {
        assertThatCode(() -> {
                    alter(Map.of("bucket", "4"), Map.of("bucket", "8"));
                    alter(Map.of(), Map.of("merge-engine", "deduplicate"));
                    alter(Map.of("deletion-vectors.modifiable", "true"), Map.of("deletion-vectors.enabled", "true"));
                    alter(Map.of(), Map.of("sequence.field", "ts", "changelog-producer", "lookup"));
                    alter(Map.of("from.the.future", "1"), Map.of("snapshot.num-retained.max", "20"));
                })
                .doesNotThrowAnyException();
    }

    @Test
    void aTableWithAStandingConflictCanStillBeAlteredAndMended() {
        Map<String, String> stored = Map.of("sink.writer-cpu", "2", "snapshot.num-retained.min", "x");

        assertThatCode(() -> alter(stored, Map.of("file.format", "orc"))).doesNotThrowAnyException();
        assertThatCode(() -> TableDdl.alter(Tables.keyed(stored), Map.of(), List.of("sink.writer-cpu"), Map.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void resetIsCheckedAgainstWhatItLeavesBehind() {
        TableFacts table = Tables.keyed(Map.of("sink.writer-memory", "1 gb", "sink.writer-managed-memory", "1 gb"));

        assertThatThrownBy(() -> TableDdl.alter(table, Map.of(), List.of("sink.writer-memory"), Map.of()))
                .hasMessageContaining("'sink.writer-managed-memory' = '1 gb' (stored with the table): it needs"
                        + " 'sink.writer-memory'");
    }

    @Test
    void resetRefusesWhatIsFixedAndWhatNobodyKnows() {
        TableFacts table = Tables.keyed(Map.of("merge-engine", "first-row", "bucket", "2", "foreign", "1"));

        assertThatThrownBy(() -> TableDdl.alter(
                        table, Map.of(), List.of("merge-engine", "bucket", "foreign", "scan.mod"), Map.of()))
                .isInstanceOfSatisfying(
                        OptionException.class,
                        e -> assertThat(e.problems())
                                .extracting(OptionProblem::key)
                                .containsExactly("bucket", "merge-engine", "scan.mod"));
    }

    @Test
    void createNamesEveryConflictWithTheCatalogsDefaults() {
        assertThatThrownBy(() -> TableDdl.create(
                        Tables.keyed(Map.of("merge-engine", "first-row")),
                        Map.of("table-default.changelog-producer", "input")))
                .hasMessageContaining(
                        "it excludes 'changelog-producer' = 'input' ('table-default.changelog-producer' of"
                                + " the catalog): with first-row the changelog producer is none or lookup. Keep one of the two:"
                                + " for this one, give the table its own value.");
        assertThatCode(() -> TableDdl.create(
                        Tables.keyed(Map.of("merge-engine", "first-row", "changelog-producer", "lookup")),
                        Map.of("table-default.changelog-producer", "input")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            deletion-vectors.enabled=true;changelog-producer=full-compaction | with deletion vectors the changelog producer is
            deletion-vectors.enabled=true;merge-engine=first-row | with first-row no stored row is ever deleted
            full-compaction.delta-commits=2;changelog-producer=lookup | a periodic full compaction goes with full-compaction
            fields.nope.aggregate-function=sum | the table has no column 'nope'
            fields.ts.aggregate-function=sum;sequence.field=ts | a column that orders rows is not aggregated
            streaming-read-overwrite=true;changelog-producer=lookup | changes of an overwrite would be read twice
            scan.watermark.alignment.group=g | it needs 'scan.watermark.alignment.max-drift'
            snapshot-id=3 | on a Paimon table this is `scan.snapshot-id`
            """)
    void createRefusesCombinationsThatMakeNoTable(String options, String message) {
        Map<String, String> with = DocumentRow.options("file.format", "orc", options);

        assertThatThrownBy(() -> TableDdl.create(Tables.keyed(with), Map.of()))
                .isInstanceOf(OptionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void unknownKeysBecomeWarningsWhereTheCatalogSaysSo() {
        List<OptionProblem> warnings =
                TableDdl.create(Tables.keyed(Map.of("no.such", "1")), Map.of("unknown-options", "warn"));

        assertThat(warnings).extracting(OptionProblem::key).containsExactly("no.such");
    }

    @Test
    void aCatalogWithAMetastoreOfItsOwnMayHaveKeysOfItsOwn() {
        assertThat(CatalogDdl.create("c", Map.of("type", "paimon", "metastore", "my-own", "my-key", "1")))
                .hasSize(1);
        assertThatThrownBy(() -> CatalogDdl.create("c", Map.of("warehose", "/tmp/w", "s3.secret-key", "hunter2")))
                .isInstanceOf(OptionException.class)
                .hasMessage("Catalog c, option 'warehose' = '/tmp/w' (CREATE CATALOG): no option has this key. Nearest"
                        + " known: 'warehouse'. Use it, or leave it out.");
    }

    @Test
    void resetOfWhatIsNotThereSaysSoWithoutAValue() {
        assertThatThrownBy(() -> TableDdl.alter(
                        Tables.keyed(Map.of("bucket", "2")),
                        Map.of(),
                        List.of("merge-engine", "mrege-engine"),
                        Map.of()))
                .hasMessageContaining("'merge-engine' (ALTER TABLE RESET): the table does not carry it, and what it has"
                        + " by default is fixed when a table is created. Leave it out.")
                .hasMessageContaining("'mrege-engine' (ALTER TABLE RESET): no option has this key");
    }

    private static void alter(Map<String, String> stored, Map<String, String> set) {
        TableDdl.alter(Tables.keyed(stored), set, List.of(), Map.of());
    }
}
