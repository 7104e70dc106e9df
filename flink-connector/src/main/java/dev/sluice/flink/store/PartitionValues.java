/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.paimon.flink.FlinkRowData;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataType;

/** The values of some partition keys of a split, as Flink's own. */
public final class PartitionValues {

    /** For whoever looks at no partition key. */
    public static final PartitionValues NONE = new PartitionValues(List.of());

    private final List<Key> keys;

    private record Key(int position, LogicalType type) {}

    private PartitionValues(List<Key> keys) {
        this.keys = keys;
    }

    /** @param names partition keys, in the order their values are to come */
    public static PartitionValues of(StoreTable table, List<String> names) {
        return new PartitionValues(names.stream()
                .map(name -> {
                    DataType type = table.rowType().getField(name).type();
                    return new Key(table.partitionKeys().indexOf(name), LogicalTypeConversion.toLogicalType(type));
                })
                .toList());
    }

    /** Empty if the split is not of one partition. */
    public Optional<RowData> of(Split split) {
        if (keys.isEmpty() || !(split instanceof DataSplit data)) {
            return Optional.empty();
        }
        RowData partition = new FlinkRowData(data.partition());
        GenericRowData values = new GenericRowData(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            values.setField(
                    i, RowData.createFieldGetter(key.type(), key.position()).getFieldOrNull(partition));
        }
        return Optional.of(values);
    }
}
