/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.store.MetadataColumn;
import dev.sluice.flink.store.ReadLayout;
import dev.sluice.flink.store.ReadSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.runtime.typeutils.ArrayDataSerializer;
import org.apache.flink.table.runtime.typeutils.MapDataSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.flink.types.RowKind;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.jspecify.annotations.Nullable;

/** Writes rows in Flink's own binary layout, without boxing. Used by one thread; the row it returns is reused. */
final class RowWriter {

    private interface FieldWriter {

        /**
         * @param from the field of the row, which is not null there
         * @param to the field that is written
         */
        void write(RowData row, int from, int to);
    }

    private final BinaryRowData written;
    private final BinaryRowWriter writer;
    private final FieldWriter[] fields;

    /** For each field the column it is in, or is of. */
    private final int[] columns;

    /** For each field the way inwards from its column, or null if it is the column itself. */
    private final @Nullable NestedField[] nested;

    private final OtherTypes others;
    private final MetadataWriter metadata;
    private final boolean asInsertions;

    /** Of rows that have these columns. */
    RowWriter(RowType type) {
        this(
                type,
                IntStream.range(0, type.getFieldCount())
                        .mapToObj(i -> new int[] {i})
                        .toList(),
                type);
    }

    private RowWriter(RowType type, List<int[]> paths, RowType rowType) {
        this(type, paths, rowType, List.of(), -1, false);
    }

    /** @param spec what {@code layout} was made for */
    RowWriter(RowType type, ReadLayout layout, ReadSpec spec) {
        this(
                type,
                layout.paths(),
                LogicalTypeConversion.toLogicalType(layout.rowType()),
                spec.metadata(),
                layout.sequenceAt(),
                spec.changes());
    }

    private RowWriter(
            RowType type,
            List<int[]> paths,
            RowType rowType,
            List<MetadataColumn> metadata,
            int sequenceAt,
            boolean asInsertions) {
        this.written = new BinaryRowData(type.getFieldCount());
        this.writer = new BinaryRowWriter(written);
        this.others = new OtherTypes(type);
        this.fields = new FieldWriter[paths.size()];
        this.columns = new int[paths.size()];
        this.nested = new NestedField[paths.size()];
        for (int i = 0; i < fields.length; i++) {
            int[] path = paths.get(i);
            FieldWriter field = fieldWriter(type.getTypeAt(i));
            fields[i] = field == null ? this::leaveToOthers : field;
            columns[i] = path[0];
            nested[i] = path.length == 1 ? null : NestedField.at(path, rowType);
        }
        this.metadata = new MetadataWriter(writer, metadata, fields.length, sequenceAt);
        this.asInsertions = asInsertions;
    }

    void startSplit(SplitRows rows) {
        metadata.startSplit(rows);
    }

    BinaryRowData write(RowData row) {
        writer.reset();
        writer.writeRowKind(asInsertions ? RowKind.INSERT : row.getRowKind());
        for (int i = 0; i < fields.length; i++) {
            NestedField inner = nested[i];
            if (inner == null) {
                write(row, columns[i], i);
            } else {
                writeNested(inner, row, i);
            }
        }
        metadata.write(row);
        writer.complete();
        return others.addTo(written);
    }

    private void write(RowData row, int from, int to) {
        if (row.isNullAt(from)) {
            writer.setNullAt(to);
        } else {
            fields[to].write(row, from, to);
        }
    }

    private void leaveToOthers(RowData row, int from, int to) {
        writer.setNullAt(to);
        others.set(to, row, from);
    }

    private void writeNested(NestedField inner, RowData row, int to) {
        RowData parent = inner.parent(row);
        if (parent == null) {
            writer.setNullAt(to);
        } else {
            write(parent, inner.field(), to);
        }
    }

    /** Gives null for types that only Flink's serializer of the running version knows, such as VARIANT. */
    private @Nullable FieldWriter fieldWriter(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> (row, from, i) -> writer.writeBoolean(i, row.getBoolean(from));
            case TINYINT -> (row, from, i) -> writer.writeByte(i, row.getByte(from));
            case SMALLINT -> (row, from, i) -> writer.writeShort(i, row.getShort(from));
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE, INTERVAL_YEAR_MONTH ->
                (row, from, i) -> writer.writeInt(i, row.getInt(from));
            case BIGINT, INTERVAL_DAY_TIME -> (row, from, i) -> writer.writeLong(i, row.getLong(from));
            case FLOAT -> (row, from, i) -> writer.writeFloat(i, row.getFloat(from));
            case DOUBLE -> (row, from, i) -> writer.writeDouble(i, row.getDouble(from));
            case CHAR, VARCHAR -> (row, from, i) -> writer.writeString(i, row.getString(from));
            case BINARY, VARBINARY -> (row, from, i) -> writer.writeBinary(i, row.getBinary(from));
            case DECIMAL -> decimal((DecimalType) type);
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                timestamp(LogicalTypeChecks.getPrecision(type));
            case ARRAY -> array((ArrayType) type);
            case MAP -> map(((MapType) type).getKeyType(), ((MapType) type).getValueType());
            case MULTISET -> map(((MultisetType) type).getElementType(), new IntType(false));
            case ROW -> nested((RowType) type);
            default -> null;
        };
    }

    private FieldWriter decimal(DecimalType type) {
        int precision = type.getPrecision();
        int scale = type.getScale();
        return (row, from, i) -> writer.writeDecimal(i, row.getDecimal(from, precision, scale), precision);
    }

    private FieldWriter timestamp(int precision) {
        return (row, from, i) -> writer.writeTimestamp(i, row.getTimestamp(from, precision), precision);
    }

    private FieldWriter array(ArrayType type) {
        ArrayDataSerializer serializer = new ArrayDataSerializer(type.getElementType());
        return (row, from, i) -> writer.writeArray(i, row.getArray(from), serializer);
    }

    private FieldWriter map(LogicalType key, LogicalType value) {
        MapDataSerializer serializer = new MapDataSerializer(key, value);
        return (row, from, i) -> writer.writeMap(i, row.getMap(from), serializer);
    }

    private FieldWriter nested(RowType type) {
        RowDataSerializer serializer = new RowDataSerializer(type);
        int fieldCount = type.getFieldCount();
        return (row, from, i) -> writer.writeRow(i, row.getRow(from, fieldCount), serializer);
    }
}
