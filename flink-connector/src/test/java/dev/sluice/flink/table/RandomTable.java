/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.source.TestTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;

/** A table with random columns and content, and what it holds by a model that knows nothing of files. */
final class RandomTable {

    /** How rows of one key become one. */
    enum Merging {
        NONE,
        LATEST,
        LATEST_WITH_DELETION_VECTORS,
        FIRST,
        PARTS,
        SUMS
    }

    /** @param sql what the type is called in statements */
    record Column(String name, DataType type, String sql) {}

    private static final long BASE_MICROS = 1_700_000_000_123_000L;

    private final Random random;
    private final TestTables tables;
    private final TableEnvironment env;
    private final List<Column> columns = new ArrayList<>();
    private final Map<Object, Object[]> byKey = new LinkedHashMap<>();
    final String name;
    final Merging merging;
    final boolean partitioned;
    private final String format;
    private int nextId;

    RandomTable(String name, Random random, TestTables tables, TableEnvironment env) throws Exception {
        this.name = name;
        this.random = random;
        this.tables = tables;
        this.env = env;
        this.merging = Merging.values()[random.nextInt(Merging.values().length)];
        this.partitioned = random.nextBoolean();
        this.format = List.of("parquet", "parquet", "avro").get(random.nextInt(3));
        columns.add(new Column("id", DataTypes.INT().notNull(), "INT"));
        columns.add(new Column("p", DataTypes.STRING().notNull(), "STRING"));
        columns.add(new Column("i", DataTypes.INT(), "INT"));
        columns.add(new Column("s", DataTypes.STRING(), "STRING"));
        columns.add(new Column(
                "r",
                DataTypes.ROW(
                        DataTypes.FIELD(100, "x", DataTypes.INT()), DataTypes.FIELD(101, "y", DataTypes.STRING())),
                "ROW"));
        for (Column optional : List.of(
                new Column("l", DataTypes.BIGINT(), "BIGINT"),
                new Column("d", DataTypes.DECIMAL(6, 2), "DECIMAL(6, 2)"),
                new Column("f", DataTypes.DOUBLE(), "DOUBLE"),
                new Column("t3", DataTypes.TIMESTAMP(3), "TIMESTAMP(3)"),
                new Column("t6", DataTypes.TIMESTAMP(6), "TIMESTAMP(6)"),
                new Column("day", DataTypes.DATE(), "DATE"),
                new Column("b", DataTypes.BOOLEAN(), "BOOLEAN"))) {
            if (random.nextBoolean()) {
                columns.add(optional);
            }
        }
        create();
    }

    private void create() throws Exception {
        Schema.Builder schema = Schema.newBuilder().option("file.format", format);
        columns.forEach(column -> schema.column(column.name(), column.type()));
        if (partitioned) {
            schema.partitionKeys("p");
        }
        if (merging != Merging.NONE) {
            schema.primaryKey(partitioned ? List.of("p", "id") : List.of("id"))
                    .option("bucket", String.valueOf(1 + random.nextInt(2)));
        }
        switch (merging) {
            case NONE, LATEST -> {}
            case LATEST_WITH_DELETION_VECTORS -> schema.option("deletion-vectors.enabled", "true");
            case FIRST -> schema.option("merge-engine", "first-row");
            case PARTS -> schema.option("merge-engine", "partial-update");
            case SUMS -> schema.option("merge-engine", "aggregation").option("fields.i.aggregate-function", "sum");
        }
        tables.create(name, schema.build());
    }

    List<Column> columns() {
        return columns;
    }

    Collection<Object[]> rows() {
        return byKey.values();
    }

    int index(String column) {
        return columns.stream().map(Column::name).toList().indexOf(column);
    }

    /** One snapshot or two. */
    void write() throws Exception {
        Table latest = ((FileStoreTable) tables.engineTable(name)).copyWithLatestSchema();
        List<InternalRow> rows = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            boolean keyed = merging != Merging.NONE;
            int id = keyed ? random.nextInt(15) : nextId++;
            Object[] values = new Object[columns.size()];
            for (int c = 0; c < values.length; c++) {
                values[c] = value(columns.get(c));
            }
            values[0] = id;
            values[1] = BinaryString.fromString("p" + id % 3);
            boolean delete = (merging == Merging.LATEST || merging == Merging.LATEST_WITH_DELETION_VECTORS)
                    && random.nextInt(4) == 0;
            GenericRow row = GenericRow.of(values.clone());
            row.setRowKind(delete ? RowKind.DELETE : RowKind.INSERT);
            rows.add(row);
            if (delete) {
                byKey.remove(id);
            } else {
                byKey.merge(id, values, this::merged);
            }
        }
        boolean mustCompact = merging == Merging.FIRST;
        TestTables.write(latest, mustCompact || (merging != Merging.NONE && random.nextInt(4) == 0), rows);
    }

    private Object[] merged(Object[] before, Object[] now) {
        Object[] merged = now.clone();
        switch (merging) {
            case NONE, LATEST, LATEST_WITH_DELETION_VECTORS -> {}
            case FIRST -> merged = before;
            case PARTS, SUMS -> {
                for (int c = 0; c < merged.length; c++) {
                    merged[c] = now[c] == null ? before[c] : now[c];
                }
                int i = index("i");
                if (merging == Merging.SUMS && before[i] != null && now[i] != null) {
                    merged[i] = sum(before[i], now[i]);
                }
            }
        }
        return merged;
    }

    private static Object sum(Object a, Object b) {
        return a instanceof Long || b instanceof Long
                ? (Object) (((Number) a).longValue() + ((Number) b).longValue())
                : (Object) ((Integer) a + (Integer) b);
    }

    /** Adds a column, widens one or renames one. */
    void alter() {
        switch (random.nextInt(3)) {
            case 0 -> {
                if (index("added") < 0) {
                    env.executeSql("ALTER TABLE " + name + " ADD added INT");
                    columns.add(new Column("added", DataTypes.INT(), "INT"));
                    byKey.replaceAll((key, row) -> Arrays.copyOf(row, row.length + 1));
                }
            }
            case 1 -> {
                widen("i", "BIGINT", DataTypes.BIGINT());
                widen("t3", "TIMESTAMP(6)", DataTypes.TIMESTAMP(6));
            }
            default -> {
                int s = index("s");
                if (s >= 0) {
                    env.executeSql("ALTER TABLE " + name + " RENAME s TO renamed");
                    columns.set(s, new Column("renamed", DataTypes.STRING(), "STRING"));
                }
            }
        }
    }

    private void widen(String column, String sql, DataType type) {
        int at = index(column);
        if (at < 0 || columns.get(at).type().equals(type)) {
            return;
        }
        env.executeSql("ALTER TABLE " + name + " MODIFY " + column + " " + sql);
        columns.set(at, new Column(column, type, sql));
        byKey.values()
                .forEach(row -> row[at] = row[at] instanceof Integer number ? (Object) number.longValue() : row[at]);
    }

    /** From a few, so that conditions meet them; null at times. */
    Object value(Column column) {
        int pick = random.nextInt(5);
        if (pick == 0 && column.type().isNullable()) {
            return null;
        }
        return switch (column.type().getTypeRoot()) {
            case INTEGER -> pick - 2;
            case BIGINT -> (pick - 2) * 3_000_000_000L;
            case VARCHAR ->
                BinaryString.fromString(List.of("", "a", "ab", "abc", "é").get(pick));
            case DECIMAL ->
                Decimal.fromUnscaledLong(List.of(-150L, 0L, 149L, 150L, 151L).get(pick), 6, 2);
            case DOUBLE -> List.of(-2.25, 0.5, 1.0, 1.5, 1e9).get(pick);
            case TIMESTAMP_WITHOUT_TIME_ZONE ->
                column.sql().endsWith("(3)")
                        ? Timestamp.fromMicros(BASE_MICROS + pick * 1000L)
                        : Timestamp.fromMicros(BASE_MICROS + pick * 500L);
            case DATE -> 19_000 + pick;
            case BOOLEAN -> pick > 2;
            case ROW -> GenericRow.of(pick == 1 ? null : pick, pick == 2 ? null : BinaryString.fromString("y" + pick));
            default -> throw new AssertionError(column);
        };
    }

    @Override
    public String toString() {
        return name + " " + merging + (partitioned ? " partitioned " : " ") + format + " " + columns;
    }
}
