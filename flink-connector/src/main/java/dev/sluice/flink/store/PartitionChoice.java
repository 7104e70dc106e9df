/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.InternalRowUtils;
import org.apache.paimon.utils.TypeUtils;
import org.jspecify.annotations.Nullable;

/** The partitions that the option {@code scan.partitions} names. */
public final class PartitionChoice {

    private static final String ACCEPTED =
            "'k1=v1,k2=v2' with ';' between two partitions, where a value may be max_pt(),"
                    + " or max_pt() or max_two_pt() alone";
    private static final String MAX = "max_pt()";
    private static final String MAX_TWO = "max_two_pt()";

    private final StoreTable table;
    private final String choice;
    private final RowType partitionType;

    private PartitionChoice(StoreTable table, String choice) {
        this.table = table;
        this.choice = choice;
        this.partitionType = table.rowType().project(table.partitionKeys());
    }

    /**
     * Lists the table's partitions, so it may take long.
     *
     * @param choice see the option
     * @throws IllegalArgumentException if it is none, or names what the table does not have
     */
    public static PartitionPredicate of(StoreTable table, String choice) {
        return PartitionPredicate.fromMultiple(
                table.rowType().project(table.partitionKeys()), partitions(table, choice));
    }

    /** The same, one by one, of the newest snapshot. */
    static Set<BinaryRow> partitions(StoreTable table, String choice) {
        PartitionChoice parsed = new PartitionChoice(table, choice);
        if (table.partitionKeys().isEmpty()) {
            throw parsed.refused("the table has no partitions");
        }
        return parsed.chosen();
    }

    private Set<BinaryRow> chosen() {
        List<BinaryRow> all = table.table().newReadBuilder().newScan().listPartitions();
        String whole = choice.strip();
        if (whole.equalsIgnoreCase(MAX)) {
            return greatest(all, 1);
        }
        if (whole.equalsIgnoreCase(MAX_TWO)) {
            return greatest(all, 2);
        }
        Set<BinaryRow> chosen = new HashSet<>();
        for (String part : whole.split(";", -1)) {
            chosen.addAll(matching(all, values(part)));
        }
        return chosen;
    }

    private Set<BinaryRow> greatest(List<BinaryRow> all, int count) {
        Comparator<InternalRow> order = CodeGenUtils.newRecordComparator(partitionType.getFieldTypes());
        return new HashSet<>(
                all.stream().sorted((a, b) -> order.compare(b, a)).limit(count).toList());
    }

    private Map<String, String> values(String part) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : part.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? "" : pair.substring(0, equals).strip();
            if (key.isEmpty()) {
                throw refused("'" + pair.strip() + "' is no 'key=value'");
            }
            if (!table.partitionKeys().contains(key)) {
                throw refused("'" + key + "' is no partition key; those are " + table.partitionKeys());
            }
            values.put(key, pair.substring(equals + 1).strip());
        }
        return values;
    }

    /** In the order of the table's keys, so that the greatest value is sought among what the keys before leave. */
    private List<BinaryRow> matching(List<BinaryRow> all, Map<String, String> values) {
        List<BinaryRow> left = all;
        for (int i = 0; i < partitionType.getFieldCount(); i++) {
            String value = values.get(partitionType.getFieldNames().get(i));
            if (value != null) {
                left = value.equalsIgnoreCase(MAX) ? maxOf(left, i) : equalTo(left, i, value);
            }
        }
        return left;
    }

    private List<BinaryRow> maxOf(List<BinaryRow> partitions, int field) {
        DataType type = partitionType.getTypeAt(field);
        Comparator<InternalRow> order = CodeGenUtils.newRecordComparator(List.of(type), new int[] {0});
        List<BinaryRow> greatest = new ArrayList<>();
        for (BinaryRow partition : partitions) {
            int compared = greatest.isEmpty() ? 0 : order.compare(only(partition, field), only(greatest.get(0), field));
            if (compared > 0) {
                greatest.clear();
            }
            if (compared >= 0) {
                greatest.add(partition);
            }
        }
        return greatest;
    }

    private InternalRow only(BinaryRow partition, int field) {
        return GenericRow.of(value(partition, field));
    }

    private List<BinaryRow> equalTo(List<BinaryRow> partitions, int field, String text) {
        Object wanted = parsed(field, text);
        return partitions.stream()
                .filter(partition -> Objects.equals(value(partition, field), wanted))
                .toList();
    }

    private @Nullable Object parsed(int field, String text) {
        if (text.equals(CoreOptions.fromMap(table.options()).partitionDefaultName())) {
            return null;
        }
        DataType type = partitionType.getTypeAt(field);
        try {
            return TypeUtils.castFromString(text, type);
        } catch (RuntimeException e) {
            throw refused("'" + text + "' is no value of key '"
                    + partitionType.getFieldNames().get(field) + "' of type " + type.asSQLString());
        }
    }

    private @Nullable Object value(BinaryRow partition, int field) {
        return InternalRowUtils.get(partition, field, partitionType.getTypeAt(field));
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("Table " + table.name() + ", option 'scan.partitions' = '" + choice + "': "
                + why + ". Accepted is " + ACCEPTED + ".");
    }
}
