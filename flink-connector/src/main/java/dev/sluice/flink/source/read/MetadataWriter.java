/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.store.MetadataColumn;
import dev.sluice.flink.store.SplitMetadata;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.types.RowKind;
import org.jspecify.annotations.Nullable;

/** Writes what is told of rows behind their columns. Used by one thread. */
final class MetadataWriter {

    private static final StringData[] KINDS = new StringData[RowKind.values().length];

    static {
        for (RowKind kind : RowKind.values()) {
            KINDS[kind.toByteValue()] = StringData.fromString(kind.shortString());
        }
    }

    private final BinaryRowWriter writer;
    private final MetadataColumn[] columns;
    private final int first;
    private final int sequenceAt;

    private @Nullable SplitRows rows;
    private @Nullable SplitMetadata split;
    private @Nullable StringData partition;
    private @Nullable String file;
    private @Nullable StringData fileName;

    /**
     * @param first the field behind the columns
     * @param sequenceAt the field of the read rows that has the sequence number, or -1
     */
    MetadataWriter(BinaryRowWriter writer, List<MetadataColumn> columns, int first, int sequenceAt) {
        this.writer = writer;
        this.columns = columns.toArray(MetadataColumn[]::new);
        this.first = first;
        this.sequenceAt = sequenceAt;
    }

    void startSplit(SplitRows started) {
        if (columns.length == 0) {
            return;
        }
        rows = started;
        SplitMetadata metadata = started.metadata();
        split = metadata;
        partition = metadata.partition() == null ? null : StringData.fromString(metadata.partition());
        file = null;
        fileName = null;
    }

    /** @param row as it was read */
    void write(RowData row) {
        for (int i = 0; i < columns.length; i++) {
            write(columns[i], row, first + i);
        }
    }

    private void write(MetadataColumn column, RowData row, int to) {
        switch (column) {
            case FILE_PATH -> string(file(), to);
            case PARTITION -> string(partition, to);
            case BUCKET -> {
                Integer bucket = split == null ? null : split.bucket();
                if (bucket == null) {
                    writer.setNullAt(to);
                } else {
                    writer.writeInt(to, bucket);
                }
            }
            case SNAPSHOT_ID -> number(split == null ? null : split.snapshotId(), to);
            case COMMIT_TIME -> {
                Long millis = split == null ? null : split.commitMillis();
                if (millis == null) {
                    writer.setNullAt(to);
                } else {
                    writer.writeTimestamp(to, TimestampData.fromEpochMillis(millis), 3);
                }
            }
            case SEQUENCE_NUMBER -> {
                if (sequenceAt < 0 || row.isNullAt(sequenceAt)) {
                    writer.setNullAt(to);
                } else {
                    writer.writeLong(to, row.getLong(sequenceAt));
                }
            }
            case ROW_KIND -> writer.writeString(to, KINDS[row.getRowKind().toByteValue()]);
        }
    }

    private @Nullable StringData file() {
        String current = rows == null ? null : rows.file();
        if (current == null) {
            return null;
        }
        if (!current.equals(file)) {
            file = current;
            fileName = StringData.fromString(current);
        }
        return fileName;
    }

    private void string(@Nullable StringData value, int to) {
        if (value == null) {
            writer.setNullAt(to);
        } else {
            writer.writeString(to, value);
        }
    }

    private void number(@Nullable Long value, int to) {
        if (value == null) {
            writer.setNullAt(to);
        } else {
            writer.writeLong(to, value);
        }
    }
}
