/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row of Paimon's page for Spark: accepted under its name where it means something, answered where not. */
final class SparkDocumentTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ  | read.allow.fullScan          | false | | read.allow-full-scan
            READ  | read.changelog               | true  | | read.changelog
            READ  | read.stream.maxBytesPerTrigger | 100 | | read.stream.max-bytes-per-discovery
            READ  | read.stream.maxFilesPerTrigger | 10  | | read.stream.max-files-per-discovery
            READ  | read.stream.maxRowsPerTrigger  | 10  | | read.stream.max-rows-per-discovery
            READ  | read.stream.maxTriggerDelayMs  | 500 | read.stream.minRowsPerTrigger=5 | read.stream.max-discovery-delay
            READ  | read.stream.minRowsPerTrigger  | 5   | read.stream.maxTriggerDelayMs=500 | read.stream.min-rows-per-discovery
            READ  | source.split.target-size-with-column-pruning | true | | source.split.target-size-with-column-pruning
            WRITE | requiredSparkConfsCheck.enabled | false | | required-configuration-check.enabled
            WRITE | write.merge-schema           | true  | | write.merge-schema
            WRITE | write.merge-schema.type-widening | true | write.merge-schema=true | write.merge-schema.type-widening
            WRITE | write.merge-schema.explicit-cast | true | write.merge-schema=true;write.merge-schema.type-widening=true | write.merge-schema.explicit-cast
            """)
    void isAcceptedUnderTheDocumentsNameAndCarriedUnderOurs(
            String place, String key, String value, String with, String primary) {
        Map<String, String> resolved = DocumentRow.resolved(place, DocumentRow.options(key, value, with));

        assertThat(resolved).containsEntry(primary, value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ  | read.allow.fullScan            | no    | | accepted is true or false
            READ  | read.changelog                 | x     | | accepted is true or false
            READ  | read.stream.maxBytesPerTrigger | 1 mb  | | accepted is a whole number from 1
            READ  | read.stream.maxFilesPerTrigger | 0     | | accepted is a whole number from 1
            READ  | read.stream.maxRowsPerTrigger  | -1    | | accepted is a whole number from 1
            READ  | read.stream.maxTriggerDelayMs  | 500   | | it needs 'read.stream.min-rows-per-discovery'
            READ  | read.stream.minRowsPerTrigger  | 5     | | it needs 'read.stream.max-discovery-delay'
            READ  | read.stream.minRowsPerTrigger  | 0     | read.stream.maxTriggerDelayMs=1 | accepted is a whole number from 1
            READ  | source.split.target-size-with-column-pruning | 1 | | accepted is true or false
            WRITE | requiredSparkConfsCheck.enabled | off  | | accepted is true or false
            WRITE | write.merge-schema             | maybe | | accepted is true or false
            WRITE | write.merge-schema.type-widening | true | | it needs 'write.merge-schema'
            WRITE | write.merge-schema.explicit-cast | true | write.merge-schema=true | it needs 'write.merge-schema.type-widening'
            WRITE | write.use-v2-write             | true  | | 'write.use-v2-write' is Paimon for Spark's spelling; Spark's choice between its two write interfaces
            WRITE | write.hive-style-dynamic-partition.enabled | true | | Flink matches columns in the table's order
            WRITE | write.data-evolution.update-conflict-retry.max-attempts | 3 | | commits here retry by `commit.max-retries`
            WRITE | write.data-evolution.update-conflict-retry.wait-ms | 3 | | commits here wait by `commit.min-retry-wait`
            READ  | vector-search.lateral-join.parallelism | 3 | | Flink has no lateral vector search
            READ  | legacy-timestamp-mapping.enabled | true | | Flink has both timestamp types
            READ  | format-table.repair.collect-statistics | true | | it belongs to MSCK REPAIR TABLE
            READ  | format-table.statistics.parallelism | 8 | | it belongs to MSCK REPAIR TABLE
            CATALOG | v1Function.enabled           | true  | | Spark's own functions
            CATALOG | catalog.create-underlying-session-catalog | true | | a Spark session's own setting
            CATALOG | disable-create-table-in-default-db | 1 | | accepted is true or false
            CATALOG | table-default.bukcet         | 4     | | no option has this key
            """)
    void aBadValueOrAMeaninglessKeyIsRefused(String place, String key, String value, String with, String message) {
        String shown = key.startsWith("table-default.") ? key.substring("table-default.".length()) : key;
        if (shown.equals(key)) {
            DocumentRow.refused(place, key, value, with, message);
        } else {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> DocumentRow.resolved(place, DocumentRow.options(key, value, with))))
                    .hasMessageContaining(
                            "'" + shown + "' = '" + value + "' ('" + key + "' of CREATE CATALOG): " + message);
        }
    }

    @Test
    void catalogOptionsAreAccepted() {
        DocumentRow.accepted("CATALOG", "defaultDatabase", "d", "warehouse=/tmp/w;type=paimon");
        DocumentRow.accepted("CATALOG", "disable-create-table-in-default-db", "true", null);
        DocumentRow.accepted("CATALOG", "table-default.file.format", "parquet", null);

        assertThat(CatalogDdl.withPrimaryKeys(Map.of("defaultDatabase", "d"))).containsEntry("default-database", "d");
        assertThat(CatalogDdl.tableDefaults(Map.of("table-default.bucket", "4", "warehouse", "/tmp/w")))
                .isEqualTo(Map.of("bucket", "4"));
    }
}
