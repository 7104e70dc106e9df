/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import org.apache.paimon.shade.org.apache.parquet.column.ColumnDescriptor;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.LocalZonedTimestampType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.TimestampType;

/** Which of Paimon's types are gathered how. The physical types are those of the engine's schema converter. */
final class ColumnKind {

    /** The longest decimals that fit an INT64; longer ones are bytes of a fixed length. */
    private static final int LONG_DECIMAL = 18;

    private static final int MILLIS = 3;
    /** Timestamps beyond are INT96, which has no order and so no statistics. */
    private static final int MICROS = 6;

    private ColumnKind() {}

    static boolean allFlat(RowType type) {
        return type.getFieldTypes().stream().allMatch(ColumnKind::flat);
    }

    private static boolean flat(DataType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    FLOAT,
                    DOUBLE,
                    DATE,
                    TIME_WITHOUT_TIME_ZONE,
                    CHAR,
                    VARCHAR,
                    BINARY,
                    VARBINARY,
                    DECIMAL -> true;
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> precision(type) <= MICROS;
            default -> false;
        };
    }

    private static int precision(DataType type) {
        return type instanceof TimestampType timestamp
                ? timestamp.getPrecision()
                : ((LocalZonedTimestampType) type).getPrecision();
    }

    static Column column(DataType type, ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> new BooleanColumn(descriptor, properties, page);
            case TINYINT -> new NumberColumn(descriptor, properties, page, (row, i) -> row.getByte(i));
            case SMALLINT -> new NumberColumn(descriptor, properties, page, (row, i) -> row.getShort(i));
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE ->
                new NumberColumn(descriptor, properties, page, (row, i) -> row.getInt(i));
            case BIGINT -> new NumberColumn(descriptor, properties, page, (row, i) -> row.getLong(i));
            case FLOAT ->
                new NumberColumn(descriptor, properties, page, (row, i) -> Float.floatToIntBits(row.getFloat(i)));
            case DOUBLE ->
                new NumberColumn(descriptor, properties, page, (row, i) -> Double.doubleToLongBits(row.getDouble(i)));
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                timestamps(type, descriptor, properties, page);
            case DECIMAL -> decimals((DecimalType) type, descriptor, properties, page);
            case CHAR, VARCHAR ->
                new BytesColumn(descriptor, properties, page, (row, i, to) -> to.append(row.getString(i)));
            case BINARY, VARBINARY ->
                new BytesColumn(descriptor, properties, page, (row, i, to) -> to.append(row.getBinary(i)));
            default ->
                throw new IllegalArgumentException("Column " + descriptor + " of type " + type + " is not flat.");
        };
    }

    private static Column timestamps(
            DataType type, ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page) {
        int precision = precision(type);
        return precision <= MILLIS
                ? new NumberColumn(
                        descriptor,
                        properties,
                        page,
                        (row, i) -> row.getTimestamp(i, precision).getMillisecond())
                : new NumberColumn(
                        descriptor,
                        properties,
                        page,
                        (row, i) -> row.getTimestamp(i, precision).toMicros());
    }

    private static Column decimals(
            DecimalType type, ColumnDescriptor descriptor, ParquetProperties properties, PageBytes page) {
        int precision = type.getPrecision();
        int scale = type.getScale();
        if (precision <= LONG_DECIMAL) {
            return new NumberColumn(
                    descriptor,
                    properties,
                    page,
                    (row, i) -> row.getDecimal(i, precision, scale).toUnscaledLong());
        }
        int length = descriptor.getPrimitiveType().getTypeLength();
        return new BytesColumn(
                descriptor,
                properties,
                page,
                (row, i, to) ->
                        to.appendSigned(row.getDecimal(i, precision, scale).toUnscaledBytes(), length));
    }
}
