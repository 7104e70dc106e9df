/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.Set;
import org.apache.paimon.CoreOptions;

/**
 * Which side an engine's option belongs to. The engine does not say it itself; what it does say is which of them can
 * never change ({@link CoreOptions#IMMUTABLE_OPTIONS}).
 */
final class EngineSides {

    /** Define the table although ALTER TABLE may change some of them: every job must agree on them. */
    private static final Set<String> DEFINE_TABLE = Set.of(
            CoreOptions.BUCKET.key(),
            CoreOptions.SEQUENCE_FIELD.key(),
            CoreOptions.SEQUENCE_FIELD_SORT_ORDER.key(),
            CoreOptions.CHANGELOG_PRODUCER.key(),
            CoreOptions.DELETION_VECTORS_ENABLED.key(),
            CoreOptions.DELETION_VECTORS_MODIFIABLE.key(),
            CoreOptions.DELETION_VECTOR_BITMAP64.key(),
            CoreOptions.FIELDS_DEFAULT_AGG_FUNC.key(),
            CoreOptions.PARTITION_DEFAULT_NAME.key(),
            CoreOptions.PARTITION_GENERATE_LEGACY_NAME.key(),
            CoreOptions.METASTORE_PARTITIONED_TABLE.key(),
            CoreOptions.METASTORE_TAG_TO_PARTITION.key(),
            CoreOptions.CHAIN_TABLE_ENABLED.key(),
            CoreOptions.UPSERT_KEY.key(),
            CoreOptions.VECTOR_FIELD.key(),
            CoreOptions.PATH.key(),
            CoreOptions.BRANCH.key(),
            CoreOptions.AUTO_CREATE.key());

    private static final Set<String> READ_PREFIXES = Set.of(
            "scan.",
            "read.",
            "source.",
            "consumer",
            "incremental-",
            "streaming-read-",
            "streaming.read.",
            "continuous.",
            "stream-scan-mode",
            "batch-scan-mode",
            "file-index.read.");

    private static final Set<String> WRITE_PREFIXES = Set.of(
            "sink.",
            "write",
            "commit.",
            "compaction.",
            "snapshot.",
            "changelog.",
            "tag.",
            "partition.",
            "num-",
            "local-merge-",
            "sort-spill-",
            "target-file-",
            "precommit-",
            "full-compaction.",
            "postpone.",
            "dynamic-bucket.",
            "dynamic-partition-",
            "end-input.",
            "lookup-compact",
            "lookup-wait",
            "unaware-bucket.",
            "metadata.iceberg.",
            "cross-partition-");

    /** The rest of {@code lookup.} also serves the writer that looks up its changelog. */
    private static final Set<String> LOOKUP_PREFIXES = Set.of(
            "lookup.async", "lookup.refresh.", "lookup.bootstrap-", "lookup.dynamic-partition", "lookup.continuous.");

    private EngineSides() {}

    /** Whether not even ALTER TABLE can change it. */
    static boolean isFixed(String key) {
        return CoreOptions.IMMUTABLE_OPTIONS.contains(key)
                || CoreOptions.PATH.key().equals(key);
    }

    static Side of(String key) {
        if (isFixed(key) || DEFINE_TABLE.contains(key) || key.startsWith("materialized-table.")) {
            return Side.TABLE;
        }
        if (startsWithAny(key, LOOKUP_PREFIXES) || key.equals("lookup.cache")) {
            return Side.LOOKUP;
        }
        if (startsWithAny(key, READ_PREFIXES)) {
            return Side.READ;
        }
        return startsWithAny(key, WRITE_PREFIXES) ? Side.WRITE : Side.BOTH;
    }

    private static boolean startsWithAny(String key, Set<String> prefixes) {
        return prefixes.stream().anyMatch(key::startsWith);
    }
}
