/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys of other connectors that people bring along. None of them is accepted; each is answered with what does the same
 * on a Paimon table, or with why nothing does.
 */
public final class ForeignKeys {

    /**
     * @param key the other connector's key
     * @param origin whose it is
     * @param kind what it is there: a read option, a write option, a table property, a catalog property
     * @param equivalent the key or statement that does the same here, or null if nothing does
     * @param remark completes the answer
     */
    public record Answer(
            String key,
            Origin origin,
            String kind,
            @Nullable String equivalent,
            String remark) {

        /** One or two sentences for a message. */
        public String words() {
            String whose = "'" + key + "' is " + origin.words() + "'s spelling";
            return equivalent == null
                    ? whose + "; " + remark + "."
                    : whose + "; on a Paimon table this is " + equivalent
                            + (remark.isEmpty() ? "." : " (" + remark + ").");
        }
    }

    private static final Map<String, Answer> TABLE = new LinkedHashMap<>();
    private static final Map<String, Answer> CATALOG = new LinkedHashMap<>();

    static {
        icebergRead();
        icebergWrite();
        icebergProperties();
        icebergCatalog();
        spark();
    }

    private ForeignKeys() {}

    /** The answer to a key that was set on a table, in a session or in a hint. */
    public static Optional<Answer> table(String key) {
        return Optional.ofNullable(TABLE.get(key));
    }

    /** The answer to a key that a catalog was created with. */
    public static Optional<Answer> catalog(String key) {
        return Optional.ofNullable(CATALOG.get(key));
    }

    /** All answers in the order of the documents they come from. */
    public static List<Answer> all() {
        List<Answer> all = new ArrayList<>(TABLE.values());
        all.addAll(CATALOG.values());
        return all;
    }

    private static void icebergRead() {
        read("snapshot-id", "`scan.snapshot-id`", "");
        read("case-sensitive", "`case-sensitive`", "an option of the catalog, not of a read");
        read("as-of-timestamp", "`scan.timestamp-millis`", "or FOR SYSTEM_TIME AS OF");
        read(
                "starting-strategy",
                "`scan.mode`",
                "latest-full for TABLE_SCAN_THEN_INCREMENTAL, latest for INCREMENTAL_FROM_LATEST_SNAPSHOT,"
                        + " from-snapshot with `scan.snapshot-id`, from-timestamp with `scan.timestamp-millis`");
        read("start-snapshot-timestamp", "`scan.timestamp-millis`", "with `scan.mode` = from-timestamp");
        read(
                "start-snapshot-id",
                "`scan.snapshot-id`",
                "with `scan.mode` = from-snapshot; in batch `incremental-between` = '<start>,<end>'");
        read("end-snapshot-id", "`incremental-between`", "as '<start>,<end>'");
        read("tag", "`scan.tag-name`", "");
        read("start-tag", "`incremental-between`", "as '<start tag>,<end tag>'");
        read("end-tag", "`incremental-between`", "as '<start tag>,<end tag>'");
        read("split-size", "`source.split.target-size`", "");
        read("split-lookback", "`source.split.target-size`", "files are packed in order, there is no lookback to set");
        read("split-file-open-cost", "`source.split.open-file-cost`", "");
        read("streaming", "`scan.bounded`", "false for streaming; also SET 'execution.runtime-mode'");
        read("monitor-interval", "`continuous.discovery-interval`", "");
        read(
                "include-column-stats",
                "`metadata.stats-mode`",
                "statistics are always read, the table says which it keeps");
        read("max-planning-snapshot-count", "`scan.max-snapshot.count`", "");
        read("limit", "`LIMIT` in the statement", "it is pushed into the scan");
    }

    private static void icebergWrite() {
        write("write-format", "`file.format`", "");
        write("target-file-size-bytes", "`target-file-size`", "");
        write("upsert-enabled", "`write-mode` = change-log", "a primary key makes a table take upserts");
        write("overwrite-enabled", "`INSERT OVERWRITE`", "with `dynamic-partition-overwrite` for the partitions");
        write("distribution-mode", "`partition.sink-strategy`", "for append tables; else the bucket distributes rows");
        write("compression-codec", "`file.compression`", "");
        write("compression-level", "`file.compression.zstd-level`", "");
        write("compression-strategy", "`orc.compression.strategy`", "");
        write("write-parallelism", "`sink.parallelism`", "");
    }

    private static void icebergProperties() {
        property("read.split.target-size", "`source.split.target-size`");
        property("read.split.planning-lookback", "`source.split.target-size`");
        property("read.split.open-file-cost", "`source.split.open-file-cost`");
        property("write.format.default", "`file.format`");
        property("write.target-file-size-bytes", "`target-file-size`");
        property("write.upsert.enabled", "`write-mode` = change-log");
        property("write.distribution-mode", "`partition.sink-strategy`");
        property("write.parquet.compression-codec", "`file.compression`");
        property("write.orc.compression-codec", "`file.compression`");
        property("write.avro.compression-codec", "`file.compression`");
        property("write.parquet.compression-level", "`file.compression.zstd-level`");
        property("write.avro.compression-level", "`file.compression.zstd-level`");
        property("write.orc.compression-strategy", "`orc.compression.strategy`");
    }

    private static void icebergCatalog() {
        catalog("catalog-type", "`metastore`", "filesystem, hive, jdbc or rest");
        catalog("catalog-impl", "`metastore`", "the identifier of a catalog factory on the class path");
        catalog("cache.expiration-interval-ms", "`cache.expire-after-write`", "a duration such as '10 min'");
        catalog("clients", "`client-pool-size`", "");
        catalog("credential", "`token`", "or `token.provider` for one that renews itself");
    }

    private static void spark() {
        String session = "a Spark session's own setting, without meaning on Flink";
        sparkCatalog("catalog.create-underlying-session-catalog", session);
        sparkCatalog("v1Function.enabled", "Spark's own functions, without meaning on Flink");
        sparkTable(
                "format-table.repair.collect-statistics", "it belongs to MSCK REPAIR TABLE, which Flink does not have");
        sparkTable("format-table.statistics.parallelism", "it belongs to MSCK REPAIR TABLE, which Flink does not have");
        sparkTable("legacy-timestamp-mapping.enabled", "Flink has both timestamp types and needs no mapping");
        sparkTable("vector-search.lateral-join.parallelism", "Flink has no lateral vector search");
        sparkTable(
                "write.data-evolution.update-conflict-retry.max-attempts",
                "commits here retry by `commit.max-retries`");
        sparkTable(
                "write.data-evolution.update-conflict-retry.wait-ms", "commits here wait by `commit.min-retry-wait`");
        sparkTable(
                "write.hive-style-dynamic-partition.enabled",
                "Flink matches columns in the table's order, or by the names after INSERT INTO");
        sparkTable("write.use-v2-write", "Spark's choice between its two write interfaces, without meaning on Flink");
    }

    private static void read(String key, String equivalent, String remark) {
        TABLE.put(key, new Answer(key, Origin.ICEBERG, "read option", equivalent, remark));
    }

    private static void write(String key, String equivalent, String remark) {
        TABLE.put(key, new Answer(key, Origin.ICEBERG, "write option", equivalent, remark));
    }

    private static void property(String key, String equivalent) {
        TABLE.put(key, new Answer(key, Origin.ICEBERG, "table property", equivalent, ""));
    }

    private static void catalog(String key, String equivalent, String remark) {
        CATALOG.put(key, new Answer(key, Origin.ICEBERG, "catalog property", equivalent, remark));
    }

    private static void sparkTable(String key, String why) {
        TABLE.put(key, new Answer(key, Origin.SPARK, "table or session option", null, why));
    }

    private static void sparkCatalog(String key, String why) {
        CATALOG.put(key, new Answer(key, Origin.SPARK, "catalog option", null, why));
    }
}
