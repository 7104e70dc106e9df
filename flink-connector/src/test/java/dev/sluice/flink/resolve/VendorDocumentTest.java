/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.option.OptionRegistry;
import dev.sluice.flink.option.OptionSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row of the vendor's parameter tables: type, default, range. */
final class VendorDocumentTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scan.mode                      | Enum       | default
            scan.snapshot-id               | Long       |
            scan.timestamp-millis          | Long       |
            scan.bounded.watermark-interval| Duration   |
            lookup.cache.max-rows          | Integer    |
            lookup.cache.ttl               | Duration   |
            write-mode                     | Enum       | auto
            merge-engine                   | Enum       | deduplicate
            write-buffer-size              | MemorySize | 256 mb
            write.max-writers-per-task     | Integer    | 1
            changelog-producer             | Enum       | none
            sink.parallelism               | Integer    |
            compaction.optimization-enabled| Boolean    | false
            snapshot.time-retained         | Duration   | 1 h
            snapshot.num-retained.min      | Integer    | 10
            snapshot.num-retained.max      | Integer    | 2147483647
            sequence.field                 | String     |
            rowkind.field                  | String     |
            lookup.async                   | Boolean    | false
            lookup.async-thread-number     | Integer    | 16
            lookup.cache                   | Enum       | AUTO
            bucket                         | Integer    | -1
            bucket-key                     | String     |
            """)
    void typeAndDefaultAreTheDocuments(String key, String type, String defaultText) {
        OptionSpec<?> spec = OptionRegistry.table().find(key).orElseThrow();

        assertThat(spec.place().declared()).isTrue();
        assertThat(spec.type().name()).isEqualTo(type);
        if (defaultText == null) {
            assertThat(spec.defaultText()).isNull();
        } else {
            assertThat(spec.type().same(spec.defaultText(), defaultText))
                    .as("default %s", spec.defaultText())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ   | scan.mode | default                 |
            READ   | scan.mode | latest-full             |
            READ   | scan.mode | latest                  |
            READ   | scan.mode | compacted-full          |
            READ   | scan.mode | from-snapshot           | scan.snapshot-id=1
            READ   | scan.mode | from-snapshot-full      | scan.snapshot-id=1
            READ   | scan.mode | from-timestamp          | scan.timestamp-millis=1
            READ   | scan.mode | from-creation-timestamp | scan.creation-time-millis=1
            READ   | scan.mode | incremental             | incremental-between=1,2
            READ   | scan.snapshot-id | 1                |
            READ   | scan.timestamp-millis | 1700000000000 |
            READ   | scan.bounded.watermark-interval | 5 s |
            READ   | lookup.cache.max-rows | 1           |
            READ   | lookup.cache.ttl | 10 min           |
            WRITE  | write-mode | auto                   |
            APPEND | write-mode | append-only            |
            WRITE  | write-mode | change-log             |
            KEYED  | merge-engine | deduplicate          |
            KEYED  | merge-engine | partial-update       |
            KEYED  | merge-engine | aggregation          |
            KEYED  | merge-engine | first-row            |
            WRITE  | write-buffer-size | 64 mb           |
            WRITE  | write.max-writers-per-task | 4      |
            KEYED  | changelog-producer | none           |
            KEYED  | changelog-producer | input          |
            KEYED  | changelog-producer | lookup         |
            KEYED  | changelog-producer | full-compaction |
            WRITE  | sink.parallelism | 1                |
            WRITE  | compaction.optimization-enabled | TRUE |
            WRITE  | snapshot.time-retained | 2 h        |
            WRITE  | snapshot.num-retained.min | 1       |
            WRITE  | snapshot.num-retained.max | 11      |
            KEYED  | sequence.field | ts                 |
            KEYED  | sequence.field | ts,v               |
            KEYED  | rowkind.field | kind                |
            READ   | lookup.async | true                 |
            READ   | lookup.async-thread-number | 1      | lookup.async=true
            READ   | lookup.cache | full                 |
            READ   | lookup.cache | MEMORY               |
            KEYED  | bucket | -2                         |
            KEYED  | bucket | -1                         |
            KEYED  | bucket | 4                          |
            APPEND | bucket | 4                          | bucket-key=v
            KEYED  | bucket-key | k                      | bucket=4
            """)
    void aGoodValueIsAccepted(String place, String key, String value, String with) {
        DocumentRow.accepted(place, key, value, with);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            READ   | scan.mode | newest | | accepted is one of default, latest-full, full, latest, compacted-full,
            READ   | scan.mode | from-snapshot | | this mode begins where one of 'scan.snapshot-id', 'scan.tag-name', 'scan.watermark', 'scan.version' says, and none is set
            READ   | scan.mode | from-snapshot-full | | where one of 'scan.snapshot-id' says, and none is set
            READ   | scan.mode | from-timestamp | | where one of 'scan.timestamp-millis', 'scan.timestamp' says
            READ   | scan.mode | incremental | | where one of 'incremental-between', 'incremental-between-timestamp'
            READ   | scan.snapshot-id | 1 | scan.mode=latest | it excludes 'scan.mode' = 'latest' (hint of this statement): this mode begins at no such position
            READ   | scan.snapshot-id | 0 | | accepted is a whole number from 1
            READ   | scan.snapshot-id | one | | accepted is a whole number from 1
            READ   | scan.snapshot-id | 1 | scan.timestamp-millis=5 | it excludes 'scan.timestamp-millis' = '5'
            READ   | scan.timestamp-millis | -1 | | accepted is a whole number from 0
            READ   | scan.timestamp-millis | 2024-01-01 | | accepted is a whole number from 0
            READ   | scan.bounded.watermark-interval | 0 s | | accepted is a duration above 0
            READ   | lookup.cache.max-rows | 0 | | accepted is a whole number from 1
            READ   | lookup.cache.ttl | 10 parsecs | | accepted is a duration above 0
            READ   | lookup.cache.ttl | 0 ms | | accepted is a duration above 0
            WRITE  | write-mode | append | | accepted is one of auto, append-only, change-log
            WRITE  | write-mode | append-only | | it is for tables without a primary key, and this one has [k, p]. Use 'change-log' or 'auto'
            APPEND | write-mode | change-log | | it is for tables with a primary key, and this one has none
            KEYED  | merge-engine | dedup | | accepted is one of deduplicate, partial-update, aggregation, first-row
            APPEND | merge-engine | first-row | | it is for tables with a primary key, and this one has none
            WRITE  | write-buffer-size | 0 | | accepted is a size above 0
            WRITE  | write-buffer-size | 256 megs | | accepted is a size above 0
            WRITE  | write.max-writers-per-task | 0 | | accepted is a whole number from 1
            KEYED  | changelog-producer | full | | accepted is one of none, input, full-compaction, lookup
            KEYED  | changelog-producer | input | merge-engine=first-row | it excludes 'merge-engine' = 'first-row' (CREATE TABLE): with first-row the changelog producer is none or lookup
            APPEND | changelog-producer | lookup | | it is for tables with a primary key, and this one has none
            WRITE  | sink.parallelism | 0 | | accepted is a whole number from 1
            WRITE  | sink.parallelism | 2.5 | | accepted is a whole number from 1
            WRITE  | compaction.optimization-enabled | yes | | accepted is true or false
            WRITE  | snapshot.time-retained | soon | | accepted is a duration above 0
            WRITE  | snapshot.num-retained.min | 0 | | accepted is a whole number from 1
            WRITE  | snapshot.num-retained.max | 0 | | accepted is a whole number from 1
            WRITE  | snapshot.num-retained.max | 5 | | the least is greater than the most: 'snapshot.num-retained.min' is '10' by default
            WRITE  | snapshot.num-retained.min | 9 | snapshot.num-retained.max=8 | it excludes 'snapshot.num-retained.max' = '8'
            KEYED  | sequence.field | nope | | the table has no column 'nope'; it has k, p, v, ts, kind
            KEYED  | sequence.field | ts | merge-engine=first-row | it excludes 'merge-engine' = 'first-row'
            KEYED  | sequence.field | ts,ts | | it names the column 'ts' twice
            KEYED  | rowkind.field | nope | | the table has no column 'nope'
            READ   | lookup.async | on | | accepted is true or false
            READ   | lookup.async-thread-number | 0 | | accepted is a whole number from 1
            READ   | lookup.cache | PARTIAL | | accepted is one of AUTO, FULL, MEMORY
            KEYED  | bucket | 0 | | accepted is -2 (postponed), -1 (dynamic, or none for an append table) or a whole number from 1
            APPEND | bucket | -2 | | postponed buckets are for tables with a primary key
            APPEND | bucket | 4 | | it needs 'bucket-key'
            KEYED  | bucket-key | nope | bucket=4 | the table has no column 'nope'
            KEYED  | bucket-key | v | bucket=4 | the column 'v' is not part of the primary key [k, p]
            KEYED  | bucket-key | k | | it needs 'bucket': without a fixed number of buckets there is nothing to hash
            """)
    void aBadValueIsRefused(String place, String key, String value, String with, String message) {
        DocumentRow.refused(place, key, value, with, message);
    }
}
