/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.settings.LookupSettings;
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
 */
public record LookupSpec(
        StoreTable table,
        List<Integer> projection,
        List<Integer> keys,
        List<Predicate> filters,
        LookupSettings settings)
        implements Serializable {

    /** @throws IllegalArgumentException if the table or a key cannot be probed */
    public LookupSpec {
        projection = List.copyOf(projection);
        keys = List.copyOf(keys);
        filters = List.copyOf(filters);
        TableFollower.check(table);
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
