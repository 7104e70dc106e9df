/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
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
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
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
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.types.DataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever way a row is shown, the engine reads from it what was put into the Flink row. */
final class FlinkToEngineRowTest {

    private static final List<LogicalType> TYPES = List.of(
            new BooleanType(),
            new TinyIntType(),
            new SmallIntType(),
            new IntType(),
            new BigIntType(),
            new FloatType(),
            new DoubleType(),
            new DateType(),
            new TimeType(3),
            new CharType(4),
            VarCharType.STRING_TYPE,
            new VarBinaryType(40),
            new DecimalType(10, 2),
            new DecimalType(30, 5),
            new TimestampType(3),
            new TimestampType(9),
            new LocalZonedTimestampType(3),
            new LocalZonedTimestampType(6),
            new ArrayType(new IntType()),
            new ArrayType(VarCharType.STRING_TYPE),
            new MapType(VarCharType.STRING_TYPE, new TimestampType(6)),
            new MultisetType(VarCharType.STRING_TYPE),
            RowType.of(new DecimalType(25, 3), new ArrayType(new DecimalType(5, 1)), VarCharType.STRING_TYPE));

    private static final RowType ROW = RowType.of(TYPES.toArray(LogicalType[]::new));
    private static final org.apache.paimon.types.RowType ENGINE = LogicalTypeConversion.toDataType(ROW);

    private final RowDataSerializer flink = new RowDataSerializer(ROW);
    private final FlinkToEngineRow typed = new FlinkToEngineRow(ENGINE);

    @Property(tries = 300)
    void theBytesOfARowReadAsItsFieldsDo(@ForAll Random random, @ForAll RowKind kind) throws Exception {
        GenericRowData row = row(ROW, random, true);
        row.setRowKind(kind);

        InternalRow fieldByField = new FlinkToEngineRow().convert(row);
        InternalRow bytes = new FlinkToEngineRow(ENGINE).convert(flink.toBinaryRow(row));
        assertThat(text(ENGINE, bytes)).isEqualTo(text(ENGINE, fieldByField));
        InternalRow offTheWire = typed.convert(throughTheNetwork(row));

        assertThat(bytes).isInstanceOf(BinaryRow.class);
        assertThat(offTheWire).isInstanceOf(BinaryRow.class);
        assertThat(text(ENGINE, offTheWire)).isEqualTo(text(ENGINE, fieldByField));
        assertThat(bytes.getRowKind().toByteValue()).isEqualTo(kind.toByteValue());
        assertThat(typed.convert(row).getRowKind().toByteValue()).isEqualTo(kind.toByteValue());
    }

    private BinaryRowData throughTheNetwork(RowData row) throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(64);
        flink.serialize(row, out);
        return (BinaryRowData) flink.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }

    /** As the engine reads it through its own accessors. */
    private static String text(DataType type, @Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        return switch (type.getTypeRoot()) {
            case ARRAY ->
                elements(((org.apache.paimon.types.ArrayType) type).getElementType(), (InternalArray) value)
                        .toString();
            case MAP ->
                map(
                        ((org.apache.paimon.types.MapType) type).getKeyType(),
                        ((org.apache.paimon.types.MapType) type).getValueType(),
                        (InternalMap) value);
            case MULTISET ->
                map(
                        ((org.apache.paimon.types.MultisetType) type).getElementType(),
                        new org.apache.paimon.types.IntType(),
                        (InternalMap) value);
            case ROW -> {
                List<String> fields = new ArrayList<>();
                List<DataType> types = ((org.apache.paimon.types.RowType) type).getFieldTypes();
                for (int i = 0; i < types.size(); i++) {
                    fields.add(text(
                            types.get(i),
                            InternalRow.createFieldGetter(types.get(i), i).getFieldOrNull((InternalRow) value)));
                }
                yield fields.toString();
            }
            case VARBINARY -> Arrays.toString((byte[]) value);
            default -> value.toString();
        };
    }

    private static List<String> elements(DataType type, InternalArray array) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(type);
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            elements.add(text(type, getter.getElementOrNull(array, i)));
        }
        return elements;
    }

    private static String map(DataType keys, DataType values, InternalMap map) {
        List<String> key = elements(keys, map.keyArray());
        List<String> value = elements(values, map.valueArray());
        Map<String, String> sorted = new TreeMap<>();
        for (int i = 0; i < key.size(); i++) {
            sorted.put(key.get(i), value.get(i));
        }
        return sorted.toString();
    }

    @Test
    void aRowWithATypeOfAnotherLayoutIsReadFieldByField() {
        org.apache.paimon.types.RowType variant = org.apache.paimon.types.RowType.of(
                new org.apache.paimon.types.IntType(),
                new org.apache.paimon.types.ArrayType(new org.apache.paimon.types.VariantType()));
        RowType shown = RowType.of(new IntType(), new IntType());
        BinaryRowData row = new RowDataSerializer(shown).toBinaryRow(GenericRowData.of(1, 2));
        assertThat(new FlinkToEngineRow(variant).convert(row)).isNotInstanceOf(BinaryRow.class);
    }

    @Test
    void theSameArrayMayCarryOneRowAfterAnother() {
        RowType type = RowType.of(new IntType(), VarCharType.STRING_TYPE);
        FlinkToEngineRow rows = new FlinkToEngineRow(LogicalTypeConversion.toDataType(type));
        RowDataSerializer serializer = new RowDataSerializer(type);
        for (int i = 0; i < 3; i++) {
            // The serializer's own row, over and over.
            InternalRow row =
                    rows.convert(serializer.toBinaryRow(GenericRowData.of(i, StringData.fromString("value " + i))));
            assertThat(row.getInt(0)).isEqualTo(i);
            assertThat(row.getString(1)).hasToString("value " + i);
        }
    }

    private static GenericRowData row(RowType type, Random random, boolean nulls) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        for (int i = 0; i < type.getFieldCount(); i++) {
            row.setField(i, nulls && random.nextInt(4) == 0 ? null : value(type.getTypeAt(i), random));
        }
        return row;
    }

    private static Object value(LogicalType type, Random random) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> random.nextBoolean();
            case TINYINT -> (byte) random.nextInt();
            case SMALLINT -> (short) random.nextInt();
            case INTEGER, DATE -> random.nextInt();
            case TIME_WITHOUT_TIME_ZONE -> random.nextInt(86_400_000);
            case BIGINT -> random.nextLong();
            case FLOAT -> random.nextFloat();
            case DOUBLE -> random.nextDouble();
            case CHAR, VARCHAR -> StringData.fromString("é".repeat(random.nextInt(3)) + "x".repeat(random.nextInt(30)));
            case VARBINARY -> {
                byte[] bytes = new byte[random.nextInt(20)];
                random.nextBytes(bytes);
                yield bytes;
            }
            case DECIMAL -> {
                DecimalType decimal = (DecimalType) type;
                yield DecimalData.fromBigDecimal(
                        BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000L, decimal.getScale()),
                        decimal.getPrecision(),
                        decimal.getScale());
            }
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                TimestampData.fromEpochMillis(random.nextLong(4_000_000_000_000L), 0);
            case ARRAY ->
                new GenericArrayData(
                        values(((ArrayType) type).getElementType(), random).toArray());
            case MAP -> map(((MapType) type).getKeyType(), ((MapType) type).getValueType(), random);
            case MULTISET -> map(((MultisetType) type).getElementType(), new IntType(), random);
            case ROW -> row((RowType) type, random, true);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static GenericMapData map(LogicalType keys, LogicalType values, Random random) {
        Map<Object, Object> map = new HashMap<>();
        for (Object key : values(keys, random)) {
            map.put(key, value(values, random));
        }
        return new GenericMapData(map);
    }

    private static List<Object> values(LogicalType type, Random random) {
        Object[] values = new Object[random.nextInt(4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(type, random);
        }
        return new ArrayList<>(Arrays.asList(values));
    }
}
