/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.types.RowKind;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.columnar.AllNullColumnVector;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.ColumnVectorUtils;
import org.apache.paimon.data.columnar.RowToColumnConverter;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;
import org.apache.paimon.data.columnar.writable.WritableColumnVector;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.Test;

/** What is written must be what Flink's own serializer writes, row by row and by columns. */
final class BinaryRowsTest {

    private static final RowType ENGINE = RowType.of(
            DataTypes.BOOLEAN(),
            DataTypes.TINYINT(),
            DataTypes.SMALLINT(),
            DataTypes.INT(),
            DataTypes.BIGINT(),
            DataTypes.FLOAT(),
            DataTypes.DOUBLE(),
            DataTypes.STRING(),
            DataTypes.BYTES(),
            DataTypes.DECIMAL(10, 2),
            DataTypes.DECIMAL(38, 5),
            DataTypes.DATE(),
            DataTypes.TIME(3),
            DataTypes.TIMESTAMP(3),
            DataTypes.TIMESTAMP(9),
            DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6));

    private static final int FIELDS = ENGINE.getFieldCount();

    /** Backwards, so that a field's place in the engine's row is not its place in Flink's. */
    private static final int[] FROM = new int[FIELDS];

    private static final org.apache.flink.table.types.logical.RowType FLINK;

    static {
        List<DataType> types = new ArrayList<>();
        for (int i = 0; i < FIELDS; i++) {
            FROM[i] = FIELDS - 1 - i;
            types.add(ENGINE.getTypeAt(FROM[i]));
        }
        RowType backwards = RowType.of(types.toArray(DataType[]::new));
        FLINK = LogicalTypeConversion.toLogicalType(backwards);
    }

    private final BinaryRows writer = BinaryRows.of(FLINK, FROM).orElseThrow();
    private final RowDataSerializer flink = new RowDataSerializer(FLINK);

    /** A bit of {@code nulls} for each field. */
    record Values(int number, long big, String text, int nulls) {

        private boolean isNull(int field) {
            return (nulls >> field & 1) == 1;
        }

        private byte[] bytes() {
            return text.repeat(number & 3).getBytes(StandardCharsets.UTF_8);
        }

        GenericRow engine() {
            Object[] values = {
                number % 2 == 0,
                (byte) number,
                (short) number,
                number,
                big,
                (float) number,
                (double) big,
                BinaryString.fromString(text),
                bytes(),
                Decimal.fromUnscaledLong(number % 100_000_000L, 10, 2),
                Decimal.fromBigDecimal(BigDecimal.valueOf(big, 5), 38, 5),
                number,
                Math.floorMod(number, 86_400_000),
                Timestamp.fromEpochMillis(big / 1_000_000),
                Timestamp.fromEpochMillis(big / 1_000_000, Math.floorMod(number, 1_000_000)),
                Timestamp.fromEpochMillis(big / 1_000_000, 1000)
            };
            for (int i = 0; i < FIELDS; i++) {
                values[i] = isNull(i) ? null : values[i];
            }
            return GenericRow.of(values);
        }

        GenericRowData flink(RowKind kind) {
            Object[] values = {
                number % 2 == 0,
                (byte) number,
                (short) number,
                number,
                big,
                (float) number,
                (double) big,
                StringData.fromString(text),
                bytes(),
                DecimalData.fromUnscaledLong(number % 100_000_000L, 10, 2),
                DecimalData.fromBigDecimal(BigDecimal.valueOf(big, 5), 38, 5),
                number,
                Math.floorMod(number, 86_400_000),
                TimestampData.fromEpochMillis(big / 1_000_000),
                TimestampData.fromEpochMillis(big / 1_000_000, Math.floorMod(number, 1_000_000)),
                TimestampData.fromEpochMillis(big / 1_000_000, 1000)
            };
            GenericRowData row = new GenericRowData(kind, FIELDS);
            for (int i = 0; i < FIELDS; i++) {
                row.setField(i, isNull(FROM[i]) ? null : values[FROM[i]]);
            }
            return row;
        }
    }

    private static BinaryRowData row(RowBytes rows, int index) {
        BinaryRowData row = new BinaryRowData(FIELDS);
        row.pointTo(rows.segment(), rows.start(index), rows.start(index + 1) - rows.start(index));
        return row;
    }

    private void check(RowBytes rows, int index, Values expected, RowKind kind) {
        assertThat(row(rows, index)).isEqualTo(flink.toBinaryRow(expected.flink(kind)));
        assertThat(row(rows, index).getRowKind()).isEqualTo(kind);
    }

    private static ColumnVector[] columns(List<Values> values) {
        WritableColumnVector[] vectors = new WritableColumnVector[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            vectors[i] = ColumnVectorUtils.createWritableColumnVector(values.size(), ENGINE.getTypeAt(i));
        }
        RowToColumnConverter converter = new RowToColumnConverter(ENGINE);
        values.forEach(value -> converter.convert(value.engine(), vectors));
        return ColumnVectorUtils.createReadableColumnVectors(ENGINE.getFieldTypes(), vectors);
    }

    private static VectorizedColumnBatch batch(ColumnVector[] columns, int rows) {
        VectorizedColumnBatch batch = new VectorizedColumnBatch(columns);
        batch.setNumRows(rows);
        return batch;
    }

    @Property(tries = 200)
    void rowsOneByOne(
            @ForAll @Size(max = 20) List<Integer> numbers,
            @ForAll long big,
            @ForAll String text,
            @ForAll int nulls,
            @ForAll RowKind kind) {
        RowBytes rows = new RowBytes(32);
        // Nothing of what was there before may show.
        rows.add(flink.toBinaryRow(new Values(-1, -1, "\uffff".repeat(3000), 0).flink(RowKind.DELETE)));
        rows.clear(Integer.MAX_VALUE);
        List<Values> values = numbers.stream()
                .map(number -> new Values(number, big ^ number, text, nulls))
                .toList();
        values.forEach(value -> writer.add(value.engine(), kind.toByteValue(), rows));

        assertThat(rows.rows()).isEqualTo(values.size());
        for (int i = 0; i < values.size(); i++) {
            check(rows, i, values.get(i), kind);
        }
    }

    @Property(tries = 200)
    void rowsOfABatchFromAnyRowOn(
            @ForAll @Size(min = 1, max = 40) List<Integer> numbers,
            @ForAll long big,
            @ForAll String text,
            @ForAll int nulls,
            @ForAll @IntRange(max = 40) int first) {
        List<Values> values = numbers.stream()
                .map(number -> new Values(number, big ^ number, text + number, nulls ^ (number & 0xFFFF)))
                .toList();
        int from = first % values.size();
        RowBytes rows = new RowBytes(64);
        writer.add(values.get(0).engine(), RowKind.DELETE.toByteValue(), rows);

        int added =
                writer.add(batch(columns(values), values.size()), from, values.size() - from, Integer.MAX_VALUE, rows);

        assertThat(added).isEqualTo(values.size() - from);
        check(rows, 0, values.get(0), RowKind.DELETE);
        for (int i = 0; i < added; i++) {
            check(rows, 1 + i, values.get(from + i), RowKind.INSERT);
        }
    }

    @Test
    void aColumnThatAFileDoesNotHaveIsNull() {
        List<Values> values = List.of(new Values(1, 2, "three", 0));
        ColumnVector[] columns = columns(values);
        columns[4] = AllNullColumnVector.INSTANCE;
        columns[7] = AllNullColumnVector.INSTANCE;
        columns[14] = AllNullColumnVector.INSTANCE;
        RowBytes rows = new RowBytes(4);

        writer.add(batch(columns, 1), 0, 1, Integer.MAX_VALUE, rows);

        check(rows, 0, new Values(1, 2, "three", 1 << 4 | 1 << 7 | 1 << 14), RowKind.INSERT);
    }

    @Test
    void aBatchStopsAtEnoughBytesButNeverBeforeOneRow() {
        List<Values> values = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            values.add(new Values(1, i, "x".repeat(10_000), 0));
        }
        VectorizedColumnBatch batch = batch(columns(values), values.size());
        RowBytes rows = new RowBytes(64);

        assertThat(writer.add(batch, 0, 10, 1, rows)).isEqualTo(1);
        assertThat(writer.add(batch, 1, 9, 70_000, rows)).isEqualTo(3);
        for (int i = 0; i < 4; i++) {
            check(rows, i, values.get(i), RowKind.INSERT);
        }
    }

    @Test
    void rowsOfOtherTypesAreLeftToOthers() {
        assertThat(BinaryRows.of(
                        LogicalTypeConversion.toLogicalType(RowType.of(DataTypes.ARRAY(DataTypes.INT()))),
                        new int[] {0}))
                .isEmpty();
    }

    @Test
    void aRowWithoutFieldsHasItsKind() {
        BinaryRows nothing = BinaryRows.of(org.apache.flink.table.types.logical.RowType.of(), new int[0])
                .orElseThrow();
        RowBytes rows = new RowBytes(2);
        nothing.add(new GenericRow(0), RowKind.DELETE.toByteValue(), rows);
        BinaryRowData row = new BinaryRowData(0);
        row.pointTo(rows.segment(), 0, rows.start(1));
        assertThat(row.getSizeInBytes()).isEqualTo(8);
        assertThat(row.getRowKind()).isEqualTo(RowKind.DELETE);
    }
}
