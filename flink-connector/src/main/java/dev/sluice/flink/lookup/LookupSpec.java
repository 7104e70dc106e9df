/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.BucketOfKey;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.TableFollower;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.predicate.Predicate;

/**
 * What a lookup join asks of a table. Made on the planner's thread, where all that can be refused is refused; travels to
 * the tasks.
 *
 * @param projection positions in the table's row type of the columns of a result row, in its order
 * @param keys positions in the result row of the columns that a probe gives values for, in the probe's order
 * @param filters over positions in the table's row type; a row for which one does not hold is no match
 * @param shuffled whether each subtask is sent the probes of its share of the buckets alone
 */
public record LookupSpec(
        StoreTable table,
        List<Integer> projection,
        List<Integer> keys,
        List<Predicate> filters,
        LookupSettings settings,
        boolean shuffled)
        implements Serializable {

    /** @throws IllegalArgumentException if the table or a key cannot be probed */
    public LookupSpec {
        projection = List.copyOf(projection);
        keys = List.copyOf(keys);
        filters = List.copyOf(filters);
        TableFollower.check(table);
        if (settings.refresh().partitions() != null) {
            TableFollower.checkPartitions(table, settings.refresh().partitions());
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("A lookup join with table " + table.name()
                    + " needs at least one column to be equal to a value of the probing side.");
        }
        for (int key : keys) {
            org.apache.paimon.types.DataField field =
                    table.rowType().getFields().get(projection.get(key));
            checkKeyType(table, field.name(), LogicalTypeConversion.toLogicalType(field.type()));
        }
    }

    /** For probes that go to any subtask. */
    public LookupSpec(
            StoreTable table,
            List<Integer> projection,
            List<Integer> keys,
            List<Predicate> filters,
            LookupSettings settings) {
        this(table, projection, keys, filters, settings, false);
    }

    /** The same with each probe sent to a subtask that has its bucket, if the key tells the bucket. */
    public LookupSpec shuffledIfPossible() {
        return new LookupSpec(table, projection, keys, filters, settings, BucketOfKey.isKnown(table, keyNames()));
    }

    /** Names of the join key's columns, in the key's order. */
    List<String> keyNames() {
        List<String> names = table.rowType().getFieldNames();
        return keys.stream().map(key -> names.get(projection.get(key))).toList();
    }

    private static void checkKeyType(StoreTable table, String name, LogicalType type) {
        switch (type.getTypeRoot()) {
            case CHAR,
                    VARCHAR,
                    BOOLEAN,
                    BINARY,
                    VARBINARY,
                    DECIMAL,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    FLOAT,
                    DOUBLE,
                    DATE,
                    TIME_WITHOUT_TIME_ZONE,
                    TIMESTAMP_WITHOUT_TIME_ZONE,
                    TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {}
            default ->
                throw new IllegalArgumentException("Column '" + name + "' of table " + table.name()
                        + " has type " + type.asSummaryString()
                        + ", which a lookup join cannot compare. Join by columns"
                        + " of string, number, boolean, binary, date or time types.");
        }
    }

    int[] projectedColumns() {
        return projection.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The type of a result row. */
    RowType resultType() {
        return LogicalTypeConversion.toLogicalType(table.rowType().project(projectedColumns()));
    }
}
