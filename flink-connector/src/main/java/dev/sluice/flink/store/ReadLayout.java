/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/** How the rows that the engine is asked for become the rows that a {@link ReadSpec} wants. Immutable. */
public final class ReadLayout {

    private final RowType engineType;
    private final RowType outputType;
    private final int[] tableColumns;
    private final List<int[]> paths;
    private final Sequence sequence;
    private final @Nullable Predicate rowFilter;

    /** Where the engine gives the sequence numbers of rows, if they are wanted. */
    private enum Sequence {
        NOWHERE,
        /** As a field before the others. */
        BESIDE_ROW,
        /** As a field behind the others, which files of tables with row tracking have. */
        IN_FILE
    }

    private ReadLayout(
            RowType engineType,
            RowType outputType,
            int[] tableColumns,
            List<int[]> paths,
            Sequence sequence,
            @Nullable Predicate rowFilter) {
        this.engineType = engineType;
        this.outputType = outputType;
        this.tableColumns = tableColumns;
        this.paths = paths;
        this.sequence = sequence;
        this.rowFilter = rowFilter;
    }

    /** @throws IllegalArgumentException if the spec does not fit the table */
    static ReadLayout of(StoreTable table, ReadSpec spec) {
        RowType all = table.rowType();
        List<List<Integer>> wanted = spec.columns() == null
                ? IntStream.range(0, all.getFieldCount()).mapToObj(List::of).toList()
                : spec.columns();
        List<DataField> output = new ArrayList<>();
        PrunedRow pruned = new PrunedRow(all);
        List<Integer> order = new ArrayList<>();
        boolean prunes = readsParts(table);
        for (List<Integer> path : wanted) {
            output.add(outputField(table, path, output.size()));
            pruned.add(prunes ? path : path.subList(0, 1));
            if (!order.contains(path.get(0))) {
                order.add(path.get(0));
            }
        }
        Predicate filter = spec.filters().isEmpty() ? null : PredicateBuilder.and(spec.filters());
        if (filter != null) {
            for (String name : PredicateVisitor.collectFieldNames(filter)) {
                int column = all.getFieldIndex(name);
                pruned.add(List.of(column));
                if (!order.contains(column)) {
                    order.add(column);
                }
            }
        }
        for (MetadataColumn column : spec.metadata()) {
            output.add(new DataField(output.size(), "$" + column.key(), column.type()));
        }
        Sequence sequence = sequence(table, spec);
        int before = sequence == Sequence.BESIDE_ROW ? 1 : 0;
        List<int[]> paths = new ArrayList<>();
        for (List<Integer> path : wanted) {
            int[] place = pruned.place(path, order);
            place[0] += before;
            paths.add(place);
        }
        RowType engineType = pruned.type(order);
        if (sequence == Sequence.IN_FILE) {
            List<DataField> fields = new ArrayList<>(engineType.getFields());
            fields.add(SpecialFields.SEQUENCE_NUMBER);
            engineType = new RowType(fields);
        }
        Predicate rowFilter = filter == null ? null : onRow(table, filter, order, before);
        return new ReadLayout(
                engineType,
                new RowType(output),
                order.stream().mapToInt(Integer::intValue).toArray(),
                paths,
                sequence,
                rowFilter);
    }

    private static Sequence sequence(StoreTable table, ReadSpec spec) {
        if (!spec.metadata().contains(MetadataColumn.SEQUENCE_NUMBER)) {
            return Sequence.NOWHERE;
        }
        return switch (table.kind()) {
            case PRIMARY_KEY -> Sequence.BESIDE_ROW;
            case APPEND ->
                CoreOptions.fromMap(table.options()).rowTrackingEnabled() ? Sequence.IN_FILE : Sequence.NOWHERE;
            case FORMAT, SYSTEM -> Sequence.NOWHERE;
        };
    }

    /**
     * Merge functions other than the one that keeps the latest row work on whole columns. What a system table does with
     * parts of them is its own affair.
     */
    private static boolean readsParts(StoreTable table) {
        CoreOptions options = CoreOptions.fromMap(table.options());
        return switch (table.kind()) {
            case APPEND -> !options.dataEvolutionEnabled();
            case PRIMARY_KEY -> options.mergeEngine() == CoreOptions.MergeEngine.DEDUPLICATE;
            case FORMAT, SYSTEM -> false;
        };
    }

    private static DataField outputField(StoreTable table, List<Integer> path, int position) {
        DataType type = table.rowType();
        boolean nullable = false;
        List<String> names = new ArrayList<>();
        for (int step : path) {
            if (!(type instanceof RowType row) || step < 0 || step >= row.getFieldCount()) {
                throw new IllegalArgumentException("Table " + table.name() + " has no column at " + path + "; its "
                        + table.rowType().getFieldCount() + " columns are "
                        + table.rowType().getFieldNames() + ".");
            }
            DataField field = row.getFields().get(step);
            type = field.type();
            nullable |= type.isNullable();
            names.add(field.name());
        }
        if (path.size() == 1) {
            return table.rowType().getFields().get(path.get(0));
        }
        return new DataField(position, position + ":" + String.join(".", names), type.copy(nullable));
    }

    private static Predicate onRow(StoreTable table, Predicate filter, List<Integer> order, int before) {
        int[] positions = new int[table.rowType().getFieldCount()];
        Arrays.fill(positions, -1);
        for (int i = 0; i < order.size(); i++) {
            positions[order.get(i)] = before + i;
        }
        return PredicateBuilder.transformFieldMapping(filter, positions)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Filter " + filter + " on table " + table.name() + " cannot be tested on a row."));
    }

    boolean sequenceBesideRow() {
        return sequence == Sequence.BESIDE_ROW;
    }

    boolean sequenceInFile() {
        return sequence == Sequence.IN_FILE;
    }

    /** The place of the sequence number in the engine's row, or -1 if it has none. */
    public int sequenceAt() {
        return switch (sequence) {
            case NOWHERE -> -1;
            case BESIDE_ROW -> 0;
            case IN_FILE -> engineType.getFieldCount() - 1;
        };
    }

    /** What is asked of the engine. */
    RowType engineType() {
        return engineType;
    }

    /** What the engine's rows have, which is the sequence number too where it is beside the row. */
    public RowType rowType() {
        if (sequence != Sequence.BESIDE_ROW) {
            return engineType;
        }
        List<DataField> fields = new ArrayList<>();
        fields.add(SpecialFields.SEQUENCE_NUMBER);
        fields.addAll(engineType.getFields());
        return new RowType(fields);
    }

    /** What comes out: the columns, then the metadata. */
    public RowType outputType() {
        return outputType;
    }

    /** Positions in the table's row type of the columns that are read, if only in part. */
    int[] tableColumns() {
        return tableColumns;
    }

    /** For each column that comes out its place in the engine's row, field by field inwards. */
    public List<int[]> paths() {
        return paths;
    }

    /** Over the engine's row; null if all rows come out. */
    @Nullable
    Predicate rowFilter() {
        return rowFilter;
    }
}
