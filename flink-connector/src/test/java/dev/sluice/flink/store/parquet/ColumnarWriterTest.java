/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
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
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single files and what goes wrong with them; the engine's writer is the model. */
final class ColumnarWriterTest {

    private static final RowType NUMBER = RowType.of(DataTypes.BIGINT());

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"none", "NONE", "None", "snappy", "SNAPPY", "zstd", "Zstd", "lz4_raw", "uncompressed"})
    void namesOfCodecsAreTheEngines(String codec) throws IOException {
        List<InternalRow> rows = rows(500, i -> GenericRow.of((long) i % 7));

        assertThat(bytes(ours(Map.of()), NUMBER, rows, codec)).isEqualTo(bytes(engines(Map.of()), NUMBER, rows, codec));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lzo", "lz4", "brotli", "zip", ""})
    void codecsThatAreNotThereFailAsTheEngines(String codec) {
        List<InternalRow> rows = rows(500, i -> GenericRow.of((long) i % 7));
        Throwable engines = catchThrowable(() -> bytes(engines(Map.of()), NUMBER, rows, codec));

        Throwable ours = catchThrowable(() -> bytes(ours(Map.of()), NUMBER, rows, codec));

        assertThat(String.valueOf(ours)).isEqualTo(String.valueOf(engines));
    }

    @ParameterizedTest
    @CsvSource({
        "parquet.compression.codec.zstd.level, 19",
        "parquet.statistics.truncate.length, 3",
        "parquet.columnindex.truncate.length, 2",
        "parquet.page.size, 1100",
        "parquet.page.write-checksum.enabled, false",
        "parquet.block.row.count.limit, 100"
    })
    void optionsMeanWhatTheyMeanToTheEngine(String key, String value) throws IOException {
        RowType type = RowType.of(DataTypes.STRING(), DataTypes.BYTES());
        // The strings fill a page with the hundredth row, where the engine looks for the first time.
        List<InternalRow> rows =
                rows(100, i -> GenericRow.of(BinaryString.fromString("value " + i % 10), new byte[] {(byte) i, 1, 2}));

        assertThat(bytes(ours(Map.of(key, value)), type, rows, "zstd"))
                .isEqualTo(bytes(engines(Map.of(key, value)), type, rows, "zstd"));
    }

    @Test
    void edgesOfTypesAreTheEngines() throws IOException {
        Object[][] edges = {
            {DataTypes.TIME(), 0, 86_399_999},
            {DataTypes.TIMESTAMP(0), Timestamp.fromEpochMillis(-1000), Timestamp.fromEpochMillis(0)},
            {DataTypes.TIMESTAMP(6), Timestamp.fromMicros(-1), Timestamp.fromMicros(-1_000_001)},
            {DataTypes.TIMESTAMP(4), Timestamp.fromEpochMillis(-62_135_596_800_000L, 100_000), Timestamp.fromMicros(1)},
            {DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6), Timestamp.fromMicros(-999_999), Timestamp.fromMicros(7)},
            {DataTypes.DECIMAL(9, 0), decimal("-999999999", 9, 0), decimal("999999999", 9, 0)},
            {DataTypes.DECIMAL(10, 9), decimal("-9.999999999", 10, 9), decimal("0", 10, 9)},
            {DataTypes.DECIMAL(18, 2), decimal("-9999999999999999.99", 18, 2), decimal("0.01", 18, 2)},
            {DataTypes.DECIMAL(19, 2), decimal("-99999999999999999.99", 19, 2), decimal("-0.01", 19, 2)},
            {DataTypes.DECIMAL(38, 38), decimal("-0." + "9".repeat(38), 38, 38), decimal("0", 38, 38)},
            {DataTypes.DECIMAL(38, 0), decimal("9".repeat(38), 38, 0), decimal("-1", 38, 0)},
            {DataTypes.FLOAT(), -0.0f, 0.0f},
            {DataTypes.FLOAT(), Float.NEGATIVE_INFINITY, Float.NaN},
            {DataTypes.DOUBLE(), 0.0, -0.0},
            {DataTypes.DOUBLE(), Double.MIN_VALUE, Double.NaN},
            {DataTypes.TINYINT(), Byte.MIN_VALUE, Byte.MAX_VALUE},
            {DataTypes.SMALLINT(), Short.MIN_VALUE, Short.MAX_VALUE},
            {DataTypes.STRING(), BinaryString.fromString(""), BinaryString.fromString("\uD83D\uDE00\uFFFF")},
            {DataTypes.BYTES(), new byte[0], new byte[] {-1, 0, 127, -128}},
        };
        for (Object[] edge : edges) {
            RowType type = RowType.of((DataType) edge[0]);
            for (int count : new int[] {1, 2, 9, 5000}) {
                List<InternalRow> rows = rows(count, i -> GenericRow.of(edge[1 + (i + 1) % 2]));

                byte[] file = bytes(ours(Map.of()), type, rows, "zstd");

                assertThat(file).as("%s of %s", count, type).isEqualTo(bytes(engines(Map.of()), type, rows, "zstd"));
                assertThat(read(file, type, null)).as("%s", type).isEqualTo(binary(rows, type));
            }
        }
    }

    /** The first page decides on a dictionary; a page of nulls says nothing good of one. */
    @Test
    void nullsInWholePagesAndByTurnsAreTheEngines() throws IOException {
        RowType type =
                RowType.of(DataTypes.STRING(), DataTypes.BIGINT(), DataTypes.BOOLEAN(), DataTypes.DECIMAL(30, 1));
        List<IntFunction<Boolean>> patterns = List.of(
                i -> true,
                i -> i < 1000,
                i -> i >= 1000,
                i -> i < 999,
                i -> i < 1007,
                i -> i % 2 == 0,
                i -> i % 2 == 1,
                i -> i % 9 != 0,
                i -> i / 8 % 2 == 0,
                i -> i == 999 || i == 1000,
                i -> i / 1000 % 2 == 1);
        Map<String, String> options = Map.of("parquet.page.row.count.limit", "1000");
        for (IntFunction<Boolean> isNull : patterns) {
            List<InternalRow> rows = rows(
                    4003,
                    i -> isNull.apply(i)
                            ? new GenericRow(4)
                            : GenericRow.of(
                                    BinaryString.fromString("v" + i % 30),
                                    i % 5L,
                                    i % 3 == 0,
                                    decimal(i + ".5", 30, 1)));

            byte[] file = bytes(ours(options), type, rows, "zstd");

            assertThat(file)
                    .as("pattern %s", patterns.indexOf(isNull))
                    .isEqualTo(bytes(engines(options), type, rows, "zstd"));
            assertThat(read(file, type, null)).isEqualTo(binary(rows, type));
        }
    }

    /** A dictionary that overflows in its third page stays with the pages before. */
    @Test
    void aDictionaryThatOverflowsInTheMiddleOfAPageIsTheEngines() throws IOException {
        RowType type = RowType.of(DataTypes.STRING(), DataTypes.BIGINT());
        List<InternalRow> rows = rows(9000, i -> {
            long value = i < 2500 ? i % 50 : i;
            return GenericRow.of(BinaryString.fromString("value " + value), value);
        });
        Map<String, String> options =
                Map.of("parquet.page.row.count.limit", "1000", "parquet.dictionary.page.size", "3000");

        assertThat(bytes(ours(options), type, rows, "zstd")).isEqualTo(bytes(engines(options), type, rows, "zstd"));
    }

    @Test
    void everyRowGroupHasADictionaryOfItsOwnAndFiltersFindTheirRows() throws IOException {
        RowType type = RowType.of(DataTypes.BIGINT(), DataTypes.STRING(), DataTypes.STRING());
        List<InternalRow> rows = rows(
                40_000,
                i -> GenericRow.of(
                        (long) i,
                        i % 11 == 0 ? null : BinaryString.fromString("common " + (i / 3000) + "," + i % 4),
                        BinaryString.fromString(Integer.toHexString(i * 0x9E3779B9))));
        Map<String, String> options = Map.of("parquet.page.row.count.limit", "500", "parquet.block.size", "150000");
        byte[] ours = bytes(ours(options), type, rows, "none");
        byte[] engines = bytes(engines(options), type, rows, "none");
        PredicateBuilder builder = new PredicateBuilder(type);
        List<Predicate> filters = List.of(
                builder.between(0, 12_345L, 12_399L),
                builder.equal(1, BinaryString.fromString("common 7,2")),
                builder.isNull(1),
                builder.in(0, List.of(0L, 39_999L)),
                PredicateBuilder.and(
                        builder.greaterThan(0, 20_000L), builder.equal(2, BinaryString.fromString("not there"))));

        assertThat(read(ours, type, null)).isEqualTo(binary(rows, type));
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        for (Predicate filter : filters) {
            assertThat(matches(read(ours, type, filter), filter))
                    .as("%s", filter)
                    .isEqualTo(rows.stream()
                            .filter(filter::test)
                            .map(row -> serializer.toBinaryRow(row).copy())
                            .toList());
        }
        assertThat(read(ours, type, filters.get(0)).size())
                .isLessThan(2000)
                .isCloseTo(read(engines, type, filters.get(0)).size(), org.assertj.core.data.Offset.offset(500));
    }

    @Test
    void fieldsBehindThoseOfTheFileAreLeftOut() throws IOException {
        InternalRow wide = new JoinedRow(GenericRow.of(1L, 2L), GenericRow.of(3L));

        assertThat(read(bytes(ours(Map.of()), NUMBER, List.of(wide), "none"), NUMBER, null))
                .isEqualTo(binary(List.of(GenericRow.of(1L)), NUMBER));
    }

    @Test
    void aValueOfManyPagesIsWritten() throws IOException {
        RowType type = RowType.of(DataTypes.STRING());
        BinaryString large = BinaryString.fromString("x".repeat(20_000_000));
        List<InternalRow> rows =
                rows(3000, i -> GenericRow.of(i == 1500 ? large : BinaryString.fromString("s" + i % 9)));

        byte[] file = bytes(ours(Map.of()), type, rows, "zstd");

        assertThat(read(file, type, null)).isEqualTo(binary(rows, type));
    }

    @Test
    void rowGroupsOfLargeValuesEndInTimeIfTheTableAsksForIt() throws IOException {
        RowType type = RowType.of(DataTypes.BYTES());
        Map<String, String> options = Map.of("parquet.block.size", "1000000", "parquet.page.size.row.check.min", "1");
        Path file = Files.createTempFile(folder, "large", ".parquet");
        FormatWriter writer;
        try (PositionOutputStream out = LocalFileIO.create().newOutputStream(path(file), true)) {
            writer = ours(options).createWriterFactory(type).create(out, "none");
            for (int i = 0; i < 50; i++) {
                writer.addElement(GenericRow.of(new byte[100_000 + i]));
            }
            writer.close();
        }

        assertThat(((ParquetMetadata) writer.writerMetadata()).getBlocks())
                .hasSizeGreaterThan(4)
                .allSatisfy(rowGroup -> assertThat(rowGroup.getTotalByteSize()).isLessThan(1_200_000));
    }

    /** How large a file gets before it is rolled. */
    @ParameterizedTest
    @ValueSource(ints = {20, 5000, Integer.MAX_VALUE})
    void aFileHasReachedItsSizeWhenTheEnginesHas(int different) throws IOException {
        RowType type = RowType.of(
                IntStream.range(0, 30).mapToObj(i -> DataTypes.BIGINT()).toArray(DataType[]::new));
        IntFunction<InternalRow> row = i -> {
            GenericRow values = new GenericRow(30);
            for (int field = 0; field < 30; field++) {
                values.setField(field, Math.floorMod(i * 0x9E3779B97F4A7C15L * (field + 1), (long) different));
            }
            return values;
        };

        int engines = rowsUntil(engines(Map.of()), type, row, 6_000_000);

        assertThat((double) rowsUntil(ours(Map.of()), type, row, 6_000_000)).isBetween(0.9 * engines, 1.1 * engines);
    }

    @Test
    void aFailedFileHasNoFooterAndIsClosedTwiceInPeace() throws IOException {
        RowType type = RowType.of(DataTypes.BIGINT(), DataTypes.STRING());
        Path file = Files.createTempFile(folder, "failed", ".parquet");
        try (PositionOutputStream out = LocalFileIO.create().newOutputStream(path(file), true)) {
            FormatWriter writer = ours(Map.of()).createWriterFactory(type).create(out, "zstd");
            writer.addElement(GenericRow.of(1L, BinaryString.fromString("one")));
            assertThatThrownBy(() -> writer.addElement(GenericRow.of(2L, "not a BinaryString")))
                    .isInstanceOf(ClassCastException.class);

            writer.close();
            writer.close();

            assertThat(writer.writerMetadata()).isNull();
            out.write(1);
        }
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .isEqualTo("PAR1\u0001");
    }

    private int rowsUntil(FileFormat format, RowType type, IntFunction<InternalRow> row, long size) throws IOException {
        Path file = Files.createTempFile(folder, "rolled", ".parquet");
        try (PositionOutputStream out = LocalFileIO.create().newOutputStream(path(file), true);
                FormatWriter writer = format.createWriterFactory(type).create(out, "zstd")) {
            int rows = 0;
            do {
                writer.addElement(row.apply(rows++));
            } while (!writer.reachTargetSize(rows % 1000 == 0, size) && rows < 1_000_000);
            return rows;
        }
    }

    private static Decimal decimal(String number, int precision, int scale) {
        return Decimal.fromBigDecimal(new java.math.BigDecimal(number), precision, scale);
    }

    private static FileFormat ours(Map<String, String> options) {
        return new ColumnarParquetFormat(new FormatContext(new Options(options), 1024, 1024));
    }

    private static FileFormat engines(Map<String, String> options) {
        return new ParquetFileFormat(new FormatContext(new Options(options), 1024, 1024));
    }

    private static List<InternalRow> rows(int count, IntFunction<InternalRow> row) {
        return IntStream.range(0, count).mapToObj(row).toList();
    }

    private static org.apache.paimon.fs.Path path(Path file) {
        return new org.apache.paimon.fs.Path(file.toUri());
    }

    private byte[] bytes(FileFormat format, RowType type, List<InternalRow> rows, String codec) throws IOException {
        Path file = Files.createTempFile(folder, "columnar", ".parquet");
        try (PositionOutputStream out = LocalFileIO.create().newOutputStream(path(file), true);
                FormatWriter writer = format.createWriterFactory(type).create(out, codec)) {
            for (InternalRow row : rows) {
                writer.addElement(row);
            }
        }
        return Files.readAllBytes(file);
    }

    private List<BinaryRow> read(byte[] bytes, RowType type, Predicate filter) throws IOException {
        Path file = Files.createTempFile(folder, "columnar", ".parquet");
        Files.write(file, bytes);
        List<BinaryRow> rows = new ArrayList<>();
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        try (RecordReader<InternalRow> reader = engines(Map.of())
                .createReaderFactory(type, type, filter == null ? Collections.emptyList() : List.of(filter))
                .createReader(new FormatReaderContext(LocalFileIO.create(), path(file), bytes.length))) {
            reader.forEachRemaining(row -> rows.add(serializer.toBinaryRow(row).copy()));
        }
        return rows;
    }

    private static List<BinaryRow> matches(List<BinaryRow> rows, Predicate filter) {
        return rows.stream().filter(filter::test).toList();
    }

    private static List<BinaryRow> binary(List<InternalRow> rows, RowType type) {
        InternalRowSerializer serializer = new InternalRowSerializer(type);
        return rows.stream().map(row -> serializer.toBinaryRow(row).copy()).toList();
    }
}
