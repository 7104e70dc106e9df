/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.predicate.CompareUtils;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.InternalRowUtils;
import org.jspecify.annotations.Nullable;

/** Answers aggregates from what the table's metadata says of its files, where that is exact. Reads no data file. */
public final class FileAggregates {

    /** An aggregate over the rows of a group. */
    public sealed interface Aggregate {}

    /** How many rows there are. */
    public record CountRows() implements Aggregate {}

    /** @param column of how many rows is not NULL */
    public record CountValues(int column) implements Aggregate {}

    /** @param greatest whether the greatest value of the column is sought, else the least */
    public record Extreme(int column, boolean greatest) implements Aggregate {}

    private final StoreTable table;
    private final FileStoreTable store;
    private final List<Integer> groupBy;
    private final List<Aggregate> aggregates;
    private final boolean rowsMayBeHidden;
    private final Map<Long, RowType> schemas = new HashMap<>();

    private FileAggregates(StoreTable table, List<Integer> groupBy, List<Aggregate> aggregates) {
        this.table = table;
        this.store = table.fileStore();
        this.groupBy = groupBy;
        this.aggregates = aggregates;
        this.rowsMayBeHidden =
                !table.primaryKeys().isEmpty() || store.coreOptions().dataEvolutionEnabled();
    }

    /**
     * One row for each group: the group's columns, then the aggregates, all as the engine's values.
     *
     * @param spec its filters must be on partitions alone
     * @param groupBy indexes of partition columns
     * @return empty if the metadata does not tell exactly
     * @throws ReadException if the metadata cannot be read
     */
    public static Optional<List<GenericRow>> of(
            StoreTable table, ReadSpec spec, List<Integer> groupBy, List<Aggregate> aggregates) {
        boolean grouped = groupBy.stream()
                .allMatch(column -> table.partitionKeys()
                        .contains(table.rowType().getFieldNames().get(column)));
        if ((table.kind() != StoreTable.Kind.APPEND && table.kind() != StoreTable.Kind.PRIMARY_KEY)
                || !grouped
                || !spec.filters().isEmpty()
                || Reads.rowsVanishWithTime(table)
                || Reads.postponed(table)) {
            return Optional.empty();
        }
        try {
            return new FileAggregates(table, groupBy, aggregates).answer(spec);
        } catch (RuntimeException e) {
            throw ReadException.planning(table, null, e);
        }
    }

    private Optional<List<GenericRow>> answer(ReadSpec spec) {
        ReadBuilder builder = Reads.builder(table, spec.withMetadata(List.of()));
        if (aggregates.stream().allMatch(CountRows.class::isInstance)) {
            builder.dropStats();
        }
        Map<GenericRow, Object[]> groups = new LinkedHashMap<>();
        for (Split split : builder.newScan().plan().splits()) {
            if (!(split instanceof DataSplit data) || data.isStreaming()) {
                return Optional.empty();
            }
            Object[] soFar = groups.computeIfAbsent(group(data.partition()), group -> nothing());
            for (int i = 0; i < soFar.length; i++) {
                if (!add(soFar, i, data)) {
                    return Optional.empty();
                }
            }
        }
        if (groups.isEmpty() && groupBy.isEmpty()) {
            groups.put(new GenericRow(0), nothing());
        }
        List<GenericRow> rows = new ArrayList<>();
        groups.forEach((group, values) -> rows.add(joined(group, values)));
        return Optional.of(rows);
    }

    private GenericRow group(BinaryRow partition) {
        GenericRow group = new GenericRow(groupBy.size());
        for (int i = 0; i < groupBy.size(); i++) {
            DataField field = table.rowType().getFields().get(groupBy.get(i));
            int at = table.partitionKeys().indexOf(field.name());
            group.setField(i, InternalRowUtils.get(partition, at, field.type()));
        }
        return group;
    }

    private Object[] nothing() {
        return aggregates.stream()
                .map(aggregate -> aggregate instanceof Extreme ? null : 0L)
                .toArray();
    }

    private static GenericRow joined(GenericRow group, Object[] values) {
        GenericRow row = new GenericRow(group.getFieldCount() + values.length);
        for (int i = 0; i < group.getFieldCount(); i++) {
            row.setField(i, group.getField(i));
        }
        for (int i = 0; i < values.length; i++) {
            row.setField(group.getFieldCount() + i, values[i]);
        }
        return row;
    }

    /** @return whether the split's metadata tells */
    private boolean add(Object[] soFar, int at, DataSplit split) {
        OptionalLong rows = split.mergedRowCount();
        if (rows.isEmpty()) {
            return false;
        }
        Aggregate aggregate = aggregates.get(at);
        if (aggregate instanceof Extreme extreme) {
            return addExtreme(soFar, at, extreme, split);
        }
        OptionalLong nulls =
                aggregate instanceof CountValues values ? nulls(split, values.column()) : OptionalLong.of(0);
        if (nulls.isEmpty() || !(soFar[at] instanceof Long count)) {
            return false;
        }
        soFar[at] = Math.addExact(count, rows.getAsLong() - nulls.getAsLong());
        return true;
    }

    private OptionalLong nulls(DataSplit split, int column) {
        DataField field = table.rowType().getFields().get(column);
        if (!field.type().isNullable()) {
            return OptionalLong.of(0);
        }
        int inPartition = table.partitionKeys().indexOf(field.name());
        if (inPartition >= 0) {
            boolean isNull = split.partition().isNullAt(inPartition);
            return OptionalLong.of(isNull ? split.mergedRowCount().orElse(0) : 0);
        }
        if (hidesRows(split)) {
            return OptionalLong.empty();
        }
        long nulls = 0;
        for (DataFileMeta file : split.dataFiles()) {
            int at = statsIndex(file, field);
            if (at < 0 || file.valueStats().nullCounts().isNullAt(at)) {
                return OptionalLong.empty();
            }
            nulls += file.valueStats().nullCounts().getLong(at);
        }
        return OptionalLong.of(nulls);
    }

    /** Statistics of a file count rows that a deletion vector or another file of the same keys takes away. */
    private boolean hidesRows(DataSplit split) {
        return rowsMayBeHidden
                || split.deletionFiles().stream()
                        .anyMatch(files -> files.stream().anyMatch(file -> file != null));
    }

    private boolean addExtreme(Object[] soFar, int at, Extreme extreme, DataSplit split) {
        DataField field = table.rowType().getFields().get(extreme.column());
        int inPartition = table.partitionKeys().indexOf(field.name());
        if (inPartition >= 0) {
            if (split.mergedRowCount().orElse(0) > 0) {
                take(soFar, at, extreme, field, InternalRowUtils.get(split.partition(), inPartition, field.type()));
            }
            return true;
        }
        if (hidesRows(split)) {
            return false;
        }
        for (DataFileMeta file : split.dataFiles()) {
            int index = statsIndex(file, field);
            if (index < 0 || file.valueStats().nullCounts().isNullAt(index)) {
                return false;
            }
            InternalRow extremes = extreme.greatest()
                    ? file.valueStats().maxValues()
                    : file.valueStats().minValues();
            boolean allNull = file.valueStats().nullCounts().getLong(index) == file.rowCount();
            if (extremes.isNullAt(index) && !allNull) {
                return false;
            }
            if (!allNull) {
                take(soFar, at, extreme, field, InternalRowUtils.get(extremes, index, field.type()));
            }
        }
        return true;
    }

    private static void take(Object[] soFar, int at, Extreme extreme, DataField field, @Nullable Object value) {
        if (value == null) {
            return;
        }
        Object before = soFar[at];
        int compared = before == null ? 0 : CompareUtils.compareLiteral(field.type(), value, before);
        if (before == null || (extreme.greatest() ? compared > 0 : compared < 0)) {
            soFar[at] = value;
        }
    }

    /** Where in the file's statistics the column is, of the same type as now; -1 if they do not have it. */
    private int statsIndex(DataFileMeta file, DataField field) {
        if (file.writeCols() != null) {
            return -1;
        }
        RowType written = schemas.computeIfAbsent(
                file.schemaId(),
                id -> new RowType(store.schemaManager().schema(id).fields()));
        DataField then = written.getFields().stream()
                .filter(candidate -> candidate.id() == field.id())
                .findFirst()
                .orElse(null);
        if (then == null || !then.type().copy(true).equals(field.type().copy(true))) {
            return -1;
        }
        List<String> columns = file.valueStatsCols();
        int at = columns == null ? written.getFieldIndex(then.name()) : columns.indexOf(then.name());
        return at
                        < Math.min(
                                file.valueStats().minValues().getFieldCount(),
                                file.valueStats().nullCounts().size())
                ? at
                : -1;
    }

    /** Whether the files of an append table tell the extremes of such a column to the last digit; texts they cut, timestamps may lack. */
    public static boolean tellsExtremes(DataField field) {
        return switch (field.type().getTypeRoot()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> true;
            default -> false;
        };
    }
}
