/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.source.TestTables;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.BoundedPlan;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.SplitOpener;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.merge.MergedRows;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random changes of tables whose keys are of all kinds, read as the source reads them: the rows must be those of a map
 * that took the same changes, and, in their order too, those of the engine's own merge.
 */
final class MergedSplitsTest {

    private static final String[] KEYS = {
        "long_key", "int_key", "text_key", "date_key,text_key", "decimal_key", "time_key"
    };

    @TempDir
    Path folder;

    private TestTables tables;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private Table table(String name, String key, String... options) throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("value", DataTypes.STRING())
                .column("long_key", DataTypes.BIGINT().notNull())
                .column("int_key", DataTypes.INT().notNull())
                .column("text_key", DataTypes.STRING().notNull())
                .column("date_key", DataTypes.DATE().notNull())
                .column("decimal_key", DataTypes.DECIMAL(20, 2).notNull())
                .column("time_key", DataTypes.TIMESTAMP(6).notNull())
                .column("version", DataTypes.INT())
                .column("amount", DataTypes.DECIMAL(10, 2))
                .primaryKey(key.split(","))
                .option("bucket", "1")
                .option("write-only", "true")
                .option("num-sorted-run.stop-trigger", "20");
        for (int i = 0; i < options.length; i += 2) {
            schema.option(options[i], options[i + 1]);
        }
        return tables.create(name, schema.build());
    }

    /** Numbers far apart, below zero too, and texts that begin alike. */
    private static GenericRow row(RowKind kind, int number, Random random, boolean more) {
        long far = number * 0x9E37_79B9_7F4A_7C15L;
        Object[] fields = {
            random.nextInt(4) == 0 ? null : BinaryString.fromString("value-" + random.nextInt(50)),
            far,
            (int) far,
            BinaryString.fromString(
                    "the same beginning".substring(0, 4 * (number & 3)) + (char) ('a' + number % 7) + "é" + number),
            number - 20,
            Decimal.fromBigDecimal(BigDecimal.valueOf(far, 2), 20, 2),
            Timestamp.fromEpochMillis(number / 3 - 10, (number % 3) * 1000),
            random.nextInt(5) == 0 ? null : random.nextInt(3),
            random.nextInt(5) == 0 ? null : Decimal.fromUnscaledLong(random.nextInt(1000), 10, 2)
        };
        if (!more) {
            return GenericRow.ofKind(kind, fields);
        }
        Object[] longer = Arrays.copyOf(fields, fields.length + 1);
        longer[fields.length] = random.nextInt(9);
        return GenericRow.ofKind(kind, longer);
    }

    private PaimonSplitReader reader(StoreTable table, ReadSpec spec, PaimonSplit split) {
        SplitOpener opener = new SplitOpener(table, spec, new String[] {folder.toString()});
        RowType type = LogicalTypeConversion.toLogicalType(spec.readType(table));
        PaimonSplitReader reader = new PaimonSplitReader(opener, spec, type, Long.MAX_VALUE, new CommitLag(() -> 0));
        reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
        return reader;
    }

    private List<String> read(StoreTable table, ReadSpec spec, long skipped) throws Exception {
        RowDataSerializer serializer = new RowDataSerializer(LogicalTypeConversion.toLogicalType(spec.readType(table)));
        List<String> rows = new ArrayList<>();
        int number = 0;
        for (Split split : BoundedPlan.splits(table, spec)) {
            PaimonSplitReader reader = reader(table, spec, new PaimonSplit("s" + number++, split, skipped));
            for (boolean finished = false; !finished; ) {
                RecordsWithSplitIds<RowPage> page = reader.fetch();
                page.nextSplit();
                for (RowPage turn = page.nextRecordFromSplit(); turn != null; turn = page.nextRecordFromSplit()) {
                    for (RowData row = turn.nextOfTurn(); row != null; row = turn.nextOfTurn()) {
                        rows.add(bytes(serializer, row));
                    }
                }
                finished = !page.finishedSplits().isEmpty();
                page.recycle();
            }
            reader.close();
        }
        return rows;
    }

    private static String bytes(RowDataSerializer serializer, RowData row) {
        BinaryRowData binary = serializer.toBinaryRow(row);
        byte[] bytes = new byte[binary.getSizeInBytes()];
        binary.getSegments()[0].get(binary.getOffset(), bytes, 0, bytes.length);
        return row.getRowKind() + HexFormat.of().formatHex(bytes);
    }

    /** The engine's own merge of the same splits. */
    private static List<String> merged(Table table, ReadSpec spec, StoreTable store) throws Exception {
        RowDataSerializer serializer = new RowDataSerializer(LogicalTypeConversion.toLogicalType(spec.readType(store)));
        EngineToFlinkRow converter = new EngineToFlinkRow();
        List<String> rows = new ArrayList<>();
        for (Split split : BoundedPlan.splits(store, spec)) {
            try (RecordReader<InternalRow> reader = table.newReadBuilder()
                    .withReadType(spec.readType(store))
                    .newRead()
                    .createReader(split)) {
                reader.forEachRemaining(row -> rows.add(bytes(serializer, converter.convert(row))));
            }
        }
        return rows;
    }

    private boolean comesFromOurMerge(StoreTable table) throws Exception {
        Set<Boolean> ours = new HashSet<>();
        for (Split split : BoundedPlan.splits(table, ReadSpec.everything())) {
            SplitOpener opener = new SplitOpener(table, ReadSpec.everything(), new String[] {folder.toString()});
            try (RecordReader<InternalRow> reader = opener.open(split)) {
                ours.add(reader.readBatch() instanceof MergedRows);
            }
            opener.close();
        }
        assertThat(ours).hasSize(1);
        return ours.contains(true);
    }

    private void check(Table table, String name, List<String> expected) throws Exception {
        StoreTable store = tables.open(name);
        ReadSpec all = ReadSpec.everything();
        assertThat(read(store, all, 0)).as(name).hasSameElementsAs(expected).isEqualTo(merged(table, all, store));
        ReadSpec some = all.withProjection(List.of(7, 0));
        assertThat(read(store, some, 0)).as(name).isEqualTo(merged(table, some, store));
        ReadSpec none = all.withProjection(List.of());
        assertThat(read(store, none, 0)).as(name).hasSameSizeAs(expected);
        if (!expected.isEmpty()) {
            assertThat(read(store, all, expected.size() / 2))
                    .as("%s, gone on in the middle", name)
                    .isEqualTo(merged(table, all, store).subList(expected.size() / 2, expected.size()));
        }
        ReadSpec filtered = all.withFilters(List.of(new PredicateBuilder(table.rowType()).greaterThan(7, 0)));
        List<String> wanted = new ArrayList<>();
        for (Map.Entry<String, RowData> row : rows(table, store).entrySet()) {
            if (!row.getValue().isNullAt(7) && row.getValue().getInt(7) > 0) {
                wanted.add(row.getKey());
            }
        }
        assertThat(read(store, filtered, 0)).as("%s, filtered", name).containsExactlyInAnyOrderElementsOf(wanted);
    }

    private static Map<String, RowData> rows(Table table, StoreTable store) throws Exception {
        RowDataSerializer serializer = new RowDataSerializer(LogicalTypeConversion.toLogicalType(table.rowType()));
        EngineToFlinkRow converter = new EngineToFlinkRow();
        Map<String, RowData> rows = new HashMap<>();
        for (Split split : BoundedPlan.splits(store, ReadSpec.everything())) {
            try (RecordReader<InternalRow> reader =
                    table.newReadBuilder().newRead().createReader(split)) {
                reader.forEachRemaining(row -> {
                    RowData copy = serializer.copy(converter.convert(row));
                    rows.put(bytes(serializer, copy), copy);
                });
            }
        }
        return rows;
    }

    /** The latest row of each key, in which order ever. */
    private static final class Model {

        private final Map<Integer, GenericRow> rows = new HashMap<>();
        private final boolean byVersion;

        Model(boolean byVersion) {
            this.byVersion = byVersion;
        }

        void change(int number, GenericRow row) {
            GenericRow known = rows.get(number);
            Comparator<Integer> nullsFirst = Comparator.nullsFirst(Comparator.naturalOrder());
            if (!byVersion
                    || known == null
                    || nullsFirst.compare((Integer) row.getField(7), (Integer) known.getField(7)) >= 0) {
                rows.put(number, row);
            }
        }

        int size() {
            return (int) rows.values().stream()
                    .filter(row -> row.getRowKind() != RowKind.DELETE)
                    .count();
        }

        List<String> rows(RowType type) {
            RowDataSerializer serializer = new RowDataSerializer(type);
            EngineToFlinkRow converter = new EngineToFlinkRow();
            return rows.values().stream()
                    .filter(row -> row.getRowKind() != RowKind.DELETE)
                    .map(row -> {
                        Object[] fields = new Object[type.getFieldCount()];
                        IntStream.range(0, Math.min(fields.length, row.getFieldCount()))
                                .forEach(i -> fields[i] = row.getField(i));
                        return bytes(serializer, converter.convert(GenericRow.of(fields)));
                    })
                    .toList();
        }
    }

    private void change(Table table, Model model, Random random, boolean more) throws Exception {
        List<InternalRow> rows = new ArrayList<>();
        int changes = 1 + random.nextInt(200);
        for (int i = 0; i < changes; i++) {
            int number = random.nextInt(150);
            RowKind kind = random.nextInt(5) == 0 ? RowKind.DELETE : RowKind.INSERT;
            GenericRow row = row(kind, number, random, more);
            rows.add(row);
            model.change(number, row);
        }
        TestTables.write(table, false, rows);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLatestRowOfEachKey(boolean byVersion) throws Exception {
        Random random = new Random(byVersion ? 7 : 8);
        for (String key : KEYS) {
            for (int commits : new int[] {2, 3, 7}) {
                String name = "t_" + key.replace(',', '_') + commits;
                Table table = byVersion ? table(name, key, "sequence.field", "version") : table(name, key);
                Model model = new Model(byVersion);
                for (int i = 0; i < commits; i++) {
                    change(table, model, random, false);
                }
                check(table, name, model.rows(LogicalTypeConversion.toLogicalType(table.rowType())));
                assertThat(comesFromOurMerge(tables.open(name))).as(name).isTrue();
            }
        }
    }

    @Test
    void rowsOfMoreThanABatchOfFilesThatOverlapInPart() throws Exception {
        Table table = table("t", "int_key", "read.batch-size", "64");
        Model model = new Model(false);
        Random random = new Random(9);
        for (int commit = 0; commit < 4; commit++) {
            List<InternalRow> rows = new ArrayList<>();
            for (int number = commit * 700; number < commit * 700 + 1500; number++) {
                GenericRow row = row(random.nextInt(9) == 0 ? RowKind.DELETE : RowKind.INSERT, number, random, false);
                row.setField(2, number);
                rows.add(row);
                model.change(number, row);
            }
            TestTables.write(table, false, rows);
        }
        check(table, "t", model.rows(LogicalTypeConversion.toLogicalType(table.rowType())));
        assertThat(comesFromOurMerge(tables.open("t"))).isTrue();
    }

    @Test
    void columnsThatCameLater() throws Exception {
        table("t", "long_key");
        Model model = new Model(false);
        Random random = new Random(10);
        change(tables.engineTable("t"), model, random, false);
        tables.alter("t", SchemaChange.addColumn("later", DataTypes.INT()));
        change(tables.engineTable("t"), model, random, true);
        tables.alter("t", SchemaChange.renameColumn("value", "renamed"));
        change(tables.engineTable("t"), model, random, true);

        Table table = tables.engineTable("t");
        check(table, "t", model.rows(LogicalTypeConversion.toLogicalType(table.rowType())));
        assertThat(comesFromOurMerge(tables.open("t"))).isTrue();
    }

    /** Files whose values must be converted, formats without columns, and merges of more runs than are read at once. */
    @Test
    void whatIsNotOurs() throws Exception {
        Random random = new Random(11);
        table("widened", "long_key");
        Model widened = new Model(false);
        change(tables.engineTable("widened"), widened, random, false);
        change(tables.engineTable("widened"), widened, random, false);
        tables.alter("widened", SchemaChange.updateColumnType("version", DataTypes.BIGINT()));
        assertThat(comesFromOurMerge(tables.open("widened"))).isFalse();
        Table table = tables.engineTable("widened");
        ReadSpec all = ReadSpec.everything();
        assertThat(read(tables.open("widened"), all, 0))
                .hasSize(widened.size())
                .isEqualTo(merged(table, all, tables.open("widened")));

        for (String[] options : List.of(
                new String[] {"file.format", "avro"},
                new String[] {"sort-spill-threshold", "2"},
                new String[] {"ignore-delete", "true"},
                new String[] {"merge-engine", "aggregation", "aggregation.remove-record-on-delete", "true"})) {
            String name = "t" + random.nextInt(Integer.MAX_VALUE);
            Table other = table(name, "long_key", options);
            for (int i = 0; i < 3; i++) {
                change(other, new Model(false), random, false);
            }
            assertThat(comesFromOurMerge(tables.open(name))).as(options[1]).isFalse();
            assertThat(read(tables.open(name), all, 0)).isEqualTo(merged(other, all, tables.open(name)));
        }
    }
}
