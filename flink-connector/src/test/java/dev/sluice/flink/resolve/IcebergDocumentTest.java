/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.option.OptionRegistry;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each option of Iceberg's page: its spelling is answered with ours, and ours is accepted. */
final class IcebergDocumentTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ  | snapshot-id              | 1     | scan.snapshot-id | 1
            READ  | as-of-timestamp          | 1     | scan.timestamp-millis | 1
            READ  | starting-strategy        | INCREMENTAL_FROM_LATEST_SNAPSHOT | scan.mode | latest
            READ  | start-snapshot-timestamp | 1     | scan.timestamp-millis | 1
            READ  | start-snapshot-id        | 1     | scan.snapshot-id | 1
            READ  | end-snapshot-id          | 2     | incremental-between | 1,2
            READ  | tag                      | t     | scan.tag-name | t
            READ  | start-tag                | a     | incremental-between | a,b
            READ  | end-tag                  | b     | incremental-between | a,b
            READ  | split-size               | 1     | source.split.target-size | 64 mb
            READ  | split-lookback           | 10    | source.split.target-size | 64 mb
            READ  | split-file-open-cost     | 1     | source.split.open-file-cost | 4 mb
            READ  | streaming                | true  | scan.bounded | false
            READ  | monitor-interval         | 10s   | continuous.discovery-interval | 10 s
            READ  | include-column-stats     | true  | metadata.stats-mode | full
            READ  | max-planning-snapshot-count | 5  | scan.max-snapshot.count | 5
            WRITE | write-format             | orc   | file.format | orc
            WRITE | target-file-size-bytes   | 1     | target-file-size | 64 mb
            WRITE | upsert-enabled           | true  | write-mode | change-log
            WRITE | distribution-mode        | hash  | partition.sink-strategy | hash
            WRITE | compression-codec        | zstd  | file.compression | zstd
            WRITE | compression-level        | 3     | file.compression.zstd-level | 3
            WRITE | compression-strategy     | speed | orc.compression.strategy | SPEED
            WRITE | write-parallelism        | 2     | sink.parallelism | 2
            """)
    void isAnsweredWithOurKeyAndOurKeyWorks(String place, String key, String value, String ours, String good) {
        DocumentRow.refused(
                place,
                key,
                value,
                null,
                "'" + key + "' is Iceberg's spelling; on a Paimon table this is `" + ours + "`");
        assertThat(DocumentRow.resolved(place, Map.of(ours, good))).containsEntry(ours, good);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ    | case-sensitive    | true | on a Paimon table this is `case-sensitive` (an option of the catalog, not of a read)
            READ    | limit             | 5    | on a Paimon table this is `LIMIT` in the statement
            WRITE   | overwrite-enabled | true | on a Paimon table this is `INSERT OVERWRITE`
            KEYED   | write.format.default | orc | on a Paimon table this is `file.format`
            KEYED   | read.split.target-size | 1 | on a Paimon table this is `source.split.target-size`
            KEYED   | write.upsert.enabled | true | on a Paimon table this is `write-mode` = change-log
            CATALOG | catalog-type      | hive | on a Paimon table this is `metastore`
            CATALOG | catalog-impl      | x.Y  | on a Paimon table this is `metastore`
            CATALOG | cache.expiration-interval-ms | 1 | on a Paimon table this is `cache.expire-after-write`
            CATALOG | clients           | 2    | on a Paimon table this is `client-pool-size`
            """)
    void isAnsweredWithAStatementOrAnotherPlace(String place, String key, String value, String message) {
        DocumentRow.refused(place, key, value, null, message);
    }

    /** A branch has the same name in both, and is a table of its own for statements here. */
    @Test
    void aBranchIsNamedWithTheTable() {
        DocumentRow.refused("READ", "branch", "b", null, "Name the branch with the table, as in `t$branch_b`");
    }

    @ParameterizedTest
    @CsvSource({"type,paimon", "property-version,1", "cache-enabled,false", "uri,thrift://h:1", "warehouse,/tmp/w"})
    void catalogPropertiesWithTheSameNameAreAccepted(String key, String value) {
        DocumentRow.accepted("CATALOG", key, value, null);
    }

    @ParameterizedTest
    @CsvSource({"hive-conf-dir,/etc/hive", "hadoop-conf-dir,/etc/hadoop", "token,abc"})
    void catalogPropertiesOfHiveAndRestAreAccepted(String key, String value) {
        DocumentRow.accepted("CATALOG", key, value, null);
    }

    @Test
    void everyKeyThatAnAnswerNamesExists() {
        Pattern key = Pattern.compile("`([a-z][a-z0-9.-]*)`");
        assertThat(dev.sluice.flink.option.ForeignKeys.all()).allSatisfy(answer -> {
            Matcher named = key.matcher(answer.words());
            while (named.find()) {
                String name = named.group(1);
                assertThat(OptionRegistry.table().find(name).isPresent()
                                || OptionRegistry.catalog().find(name).isPresent())
                        .as("'%s' in the answer to %s", name, answer.key())
                        .isTrue();
            }
        });
    }
}
