/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.JoinedRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FileFormatFactory.FormatContext;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.format.parquet.ParquetFileFormat;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.VarCharType;
import org.apache.paimon.utils.OffsetRow;
import org.junit.jupiter.api.Test;

/** The engine's own writer is the model: what it writes, byte for byte. */
final class ColumnarParquetTest {

    private static final List<DataType> TYPES = List.of(
            DataTypes.BOOLEAN(),
            DataTypes.TINYINT(),
            DataTypes.SMALLINT(),
            DataTypes.INT(),
            DataTypes.BIGINT(),
            DataTypes.FLOAT(),
            DataTypes.DOUBLE(),
            DataTypes.DATE(),
            DataTypes.TIME(),
            DataTypes.TIMESTAMP(3),
            DataTypes.TIMESTAMP(6),
            DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3),
            DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6),
            DataTypes.DECIMAL(7, 2),
            DataTypes.DECIMAL(15, 2),
            DataTypes.DECIMAL(38, 10),
            DataTypes.CHAR(4),
            DataTypes.STRING(),
            DataTypes.BINARY(4),
            DataTypes.BYTES());

    private final FileIO io = LocalFileIO.create();

    /**
     * @param different how many values a column has; few make a dictionary worth its bytes
     * @param nulls in a hundred
     */
    record Case(List<DataType> types, int rows, int different, int nulls, Map<String, String> options, long seed) {}

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<List<DataType>> types = Combinators.combine(Arbitraries.of(TYPES), Arbitraries.of(true, false))
                .as(DataType::copy)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
        Arbitrary<Map<String, String>> options = Combinators.combine(
                        Arbitraries.of("100", "1000", "20000"),
                        Arbitraries.of("80", "2000", "1048576"),
                        Arbitraries.of("true", "true", "false"),
                        Arbitraries.of("snappy", "zstd", "none"))
                .as((page, dictionary, dictionaries, codec) -> Map.of(
                        "parquet.page.row.count.limit", page,
                        "parquet.dictionary.page.size", dictionary,
                        "parquet.enable.dictionary", dictionaries,
                        "parquet.compression", codec));
        return Combinators.combine(
                        types,
                        Arbitraries.integers().between(0, 2500),
                        Arbitraries.of(1, 3, 50, 700, 1_000_000),
                        Arbitraries.of(0, 0, 10, 90, 100),
                        options,
                        Arbitraries.longs())
                .as(Case::new);
    }

    @Property(tries = 150)
    void theFileIsTheEnginesByteForByte(@ForAll("cases") Case given) throws IOException {
        RowType type = RowType.of(given.types().toArray(DataType[]::new));
        List<InternalRow> rows = rows(given, type);
        Options options = new Options(given.options());

        byte[] ours = write(new ColumnarParquetFormat(context(options)), type, rows);

        assertThat(ours).isEqualTo(write(new ParquetFileFormat(context(options)), type, rows));
    }

    /** The engine's writer guesses when a page is full, so pages of long values end elsewhere. */
    @Test
    void longValuesAndManyRowGroupsAreReadBack() throws IOException {
        RowType type = RowType.of(DataTypes.BIGINT(), DataTypes.STRING(), DataTypes.BYTES());
        List<InternalRow> rows = new ArrayList<>();
        Random random = new Random(5);
        for (long i = 0; i < 3000; i++) {
            byte[] bytes = new byte[random.nextInt(3000)];
            random.nextBytes(bytes);
            rows.add(GenericRow.of(
                    i, BinaryString.fromString(Long.toString(i % 40).repeat(random.nextInt(300))), bytes));
        }
        Options options = new Options(Map.of("parquet.page.size", "20000", "parquet.block.size", "200000"));

        byte[] ours = write(new ColumnarParquetFormat(context(options)), type, rows);

        assertThat(read(ours, type)).isEqualTo(binary(rows, type));
    }

    @Test
    void aStringInSeveralSegmentsIsWritten() throws IOException {
        RowType type = RowType.of(DataTypes.STRING());
        BinaryString parts = BinaryString.fromAddress(
                new org.apache.paimon.memory.MemorySegment[] {
                    org.apache.paimon.memory.MemorySegment.wrap(
                            "xxab".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                    org.apache.paimon.memory.MemorySegment.wrap(
                            "cdxx".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                },
                2,
                4);

        byte[] ours = write(new ColumnarParquetFormat(context(new Options())), type, List.of(GenericRow.of(parts)));

        assertThat(read(ours, type)).isEqualTo(binary(List.of(GenericRow.of(BinaryString.fromString("abcd"))), type));
    }

    @Test
    void rowsThatAreJoinedOfOthersAreWritten() throws IOException {
        RowType type = RowType.of(DataTypes.BIGINT(), DataTypes.INT(), DataTypes.STRING(), DataTypes.INT());
        InternalRow joined = new JoinedRow(
                new JoinedRow(GenericRow.of(7L), GenericRow.of(8)),
                new OffsetRow(2, 1).replace(GenericRow.of(0, BinaryString.fromString("nine"), null)));

        byte[] ours = write(new ColumnarParquetFormat(context(new Options())), type, List.of(joined));

        assertThat(read(ours, type))
                .isEqualTo(binary(List.of(GenericRow.of(7L, 8, BinaryString.fromString("nine"), null)), type));
    }

    @Test
    void aNullInANotNullColumnNamesTheColumn() {
        RowType type = RowType.builder()
                .field("id", DataTypes.BIGINT().notNull())
                .field("name", DataTypes.STRING())
                .build();

        assertThatThrownBy(() -> write(
                        new ColumnarParquetFormat(context(new Options())),
                        type,
                        List.of(GenericRow.of(1L, null), GenericRow.of(null, null))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Column id is NOT NULL and a row has NULL in it");
    }

    @Test
    void whatOnlyTheEngineWritesStaysWithIt() {
        assertThat(factory(RowType.of(DataTypes.ARRAY(DataTypes.INT())), Map.of()))
                .isNotInstanceOf(ColumnarWriterFactory.class);
        assertThat(factory(RowType.of(DataTypes.TIMESTAMP(9)), Map.of())).isNotInstanceOf(ColumnarWriterFactory.class);
        RowType flat = RowType.of(DataTypes.INT());
        assertThat(factory(flat, Map.of())).isInstanceOf(ColumnarWriterFactory.class);
        for (Map<String, String> option : List.of(
                Map.of("parquet.writer.version", "v2"),
                Map.of("parquet.validation", "true"),
                Map.of(
                        "parquet.crypto.factory.class",
                        "org.apache.paimon.shade.org.apache.parquet.crypto.keytools.PropertiesDrivenCryptoFactory"),
                Map.of("parquet.bloom.filter.enabled", "true"),
                Map.of("parquet.bloom.filter.enabled#f0", "true"),
                Map.of("parquet.enable.dictionary#f0", "false"))) {
            assertThat(factory(flat, option)).as("%s", option).isNotInstanceOf(ColumnarWriterFactory.class);
        }
    }

    @Test
    void theEngineFindsThisFormat() {
        assertThat(FileFormat.fromIdentifier("parquet", new Options())).isInstanceOf(ColumnarParquetFormat.class);
    }

    private static Object factory(RowType type, Map<String, String> options) {
        return new ColumnarParquetFormat(context(new Options(options))).createWriterFactory(type);
    }

    private static FormatContext context(Options options) {
        return new FormatContext(options, 1024, 1024);
    }

    private static List<InternalRow> rows(Case given, RowType type) {
        Random random = new Random(given.seed());
        return IntStream.range(0, given.rows())
                .mapToObj(i -> (InternalRow) GenericRow.of(type.getFieldTypes().stream()
                        .map(field -> field.isNullable() && random.nextInt(100) < given.nulls()
                                ? null
                                : value(field, random.nextInt(given.different())))
                        .toArray()))
                .toList();
    }

    /** One of the type's values for each number, those at its edges among them. */
    private static Object value(DataType type, int number) {
        long spread = number == 0 ? Long.MIN_VALUE : number * 0x9E3779B97F4A7C15L;
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> number % 2 == 0;
            case TINYINT -> (byte) spread;
            case SMALLINT -> (short) (spread >> 48);
            case INTEGER, DATE -> (int) (spread >> 32);
            case TIME_WITHOUT_TIME_ZONE -> Math.floorMod((int) spread, 86_400_000);
            case BIGINT -> spread;
            // One NaN only: of two with other bits the engine's dictionary keeps both, and writes them as the same.
            case FLOAT -> number == 1 ? Float.NaN : number == 2 ? -0.0f : number == 3 ? 0.0f : (float) spread;
            case DOUBLE -> number == 1 ? Double.NaN : number == 2 ? -0.0 : number == 3 ? 0.0 : (double) spread;
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                Timestamp.fromMicros(spread / 1_000_000 * 1000);
            case DECIMAL -> decimal((DecimalType) type, spread);
            case CHAR, VARCHAR -> BinaryString.fromString(number == 0 ? "" : text(type, number));
            default -> Arrays.copyOf(BigInteger.valueOf(spread).toByteArray(), 4);
        };
    }

    private static String text(DataType type, int number) {
        String text = "ä" + Integer.toHexString(number * 31);
        return type instanceof VarCharType ? text + "-".repeat(number % 13) : text.substring(0, 2);
    }

    private static Decimal decimal(DecimalType type, long spread) {
        BigInteger unscaled = BigInteger.valueOf(spread)
                .multiply(BigInteger.valueOf(type.getPrecision() > 18 ? spread : 1))
                .mod(BigInteger.TEN.pow(type.getPrecision()))
                .multiply(BigInteger.valueOf(spread < 0 ? -1 : 1));
        return Decimal.fromUnscaledBytes(unscaled.toByteArray(), type.getPrecision(), type.getScale());
    }

    private byte[] write(FileFormat format, RowType type, List<InternalRow> rows) throws IOException {
        Path file = Files.createTempFile("columnar", ".parquet");
        try (PositionOutputStream out = io.newOutputStream(new org.apache.paimon.fs.Path(file.toUri()), true);
                FormatWriter writer = format.createWriterFactory(type).create(out, "zstd")) {
            for (InternalRow row : rows) {
                writer.addElement(row);
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        return bytes;
    }

    private List<BinaryRow> read(byte[] bytes, RowType type) throws IOException {
        Path file = Files.createTempFile("columnar", ".parquet");
        Files.write(file, bytes);
        List<BinaryRow> rows = new ArrayList<>();
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        try (RecordReader<InternalRow> reader = new ParquetFileFormat(context(new Options()))
                .createReaderFactory(type, type, null)
                .createReader(new FormatReaderContext(io, new org.apache.paimon.fs.Path(file.toUri()), bytes.length))) {
            reader.forEachRemaining(row -> rows.add(serializer.toBinaryRow(row).copy()));
        }
        Files.delete(file);
        return rows;
    }

    private static List<BinaryRow> binary(List<? extends InternalRow> rows, RowType type) {
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        return rows.stream().map(row -> serializer.toBinaryRow(row).copy()).toList();
    }
}
