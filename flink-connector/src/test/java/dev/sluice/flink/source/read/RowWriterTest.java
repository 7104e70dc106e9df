/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/** What is written must be what Flink's own serializer writes. */
final class RowWriterTest {

    private static final RowType TYPE = RowType.of(
            new BooleanType(),
            new TinyIntType(),
            new SmallIntType(),
            new IntType(),
            new BigIntType(),
            new FloatType(),
            new DoubleType(),
            new VarCharType(VarCharType.MAX_LENGTH),
            new VarBinaryType(VarBinaryType.MAX_LENGTH),
            new DecimalType(10, 2),
            new DecimalType(38, 5),
            new DateType(),
            new TimeType(3),
            new TimestampType(3),
            new TimestampType(9),
            new LocalZonedTimestampType(6),
            new ArrayType(new BigIntType()),
            new MapType(new IntType(), new VarCharType(VarCharType.MAX_LENGTH)),
            new MultisetType(new IntType()),
            RowType.of(new IntType(), new VarCharType(VarCharType.MAX_LENGTH)));

    private final RowWriter writer = new RowWriter(TYPE);
    private final RowDataSerializer flink = new RowDataSerializer(TYPE);

    @Property(tries = 300)
    void writesWhatFlinkWrites(
            @ForAll int number,
            @ForAll long bigNumber,
            @ForAll String text,
            @ForAll byte[] bytes,
            @ForAll RowKind kind) {
        GenericRowData row = GenericRowData.ofKind(
                kind,
                number % 2 == 0,
                (byte) number,
                (short) number,
                number,
                bigNumber,
                (float) number,
                (double) bigNumber,
                StringData.fromString(text),
                bytes,
                DecimalData.fromUnscaledLong(number % 100_000_000L, 10, 2),
                DecimalData.fromBigDecimal(BigDecimal.valueOf(bigNumber, 5), 38, 5),
                number,
                Math.floorMod(number, 86_400_000),
                TimestampData.fromEpochMillis(bigNumber / 1_000_000),
                TimestampData.fromEpochMillis(bigNumber / 1_000_000, Math.floorMod(number, 1_000_000)),
                TimestampData.fromEpochMillis(bigNumber / 1_000_000, 1000),
                new GenericArrayData(new Long[] {bigNumber, null}),
                new GenericMapData(Map.of(number, StringData.fromString(text))),
                new GenericMapData(Map.of(number, 2)),
                GenericRowData.of(number, StringData.fromString(text)));

        BinaryRowData written = writer.write(row);

        assertThat(written).isEqualTo(flink.toBinaryRow(row));
        assertThat(written.getRowKind()).isEqualTo(kind);
    }

    @Property(tries = 50)
    void nullsAreNull(@ForAll RowKind kind) {
        GenericRowData row = new GenericRowData(kind, TYPE.getFieldCount());

        RowData written = writer.write(row);

        assertThat(written).isEqualTo(flink.toBinaryRow(row));
        for (int i = 0; i < TYPE.getFieldCount(); i++) {
            assertThat(written.isNullAt(i)).isTrue();
        }
    }
}
