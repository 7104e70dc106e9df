/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.Arrays;
import java.util.Optional;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;

/** What a read can tell of a row besides its columns. All may be NULL; {@link #ROW_KIND} never is. */
public enum MetadataColumn {
    /** The data file that holds the row; NULL for a row that was merged from several. */
    FILE_PATH("file_path", DataTypes.STRING()),

    /** As the partition's folder is called, such as {@code dt=2024-01-01/hour=7}; NULL without partitions. */
    PARTITION("partition", DataTypes.STRING()),

    BUCKET("bucket", DataTypes.INT()),

    /** The snapshot that is read, which need not be the one that wrote the row. */
    SNAPSHOT_ID("snapshot_id", DataTypes.BIGINT()),

    /** When that snapshot was committed; NULL once it has expired. */
    COMMIT_TIME("commit_time", DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3)),

    /** The engine's number of the write that the row is of; NULL where it keeps none. */
    SEQUENCE_NUMBER("sequence_number", DataTypes.BIGINT()),

    /** {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
    ROW_KIND("row_kind", DataTypes.STRING());

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // the engine's types are never changed
    private final DataType type;

    MetadataColumn(String key, DataType type) {
        this.key = key;
        this.type = type;
    }

    /** What it is called in {@code METADATA FROM '...'}. */
    public String key() {
        return key;
    }

    public DataType type() {
        return type;
    }

    public static Optional<MetadataColumn> of(String key) {
        return Arrays.stream(values()).filter(column -> column.key.equals(key)).findFirst();
    }
}
