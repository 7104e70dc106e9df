/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The columns that a join compares, and which of them make the primary key. Immutable.
 *
 * @param rowType of the rows that probes get
 * @param all positions in such a row of the join key's columns, in the key's order
 * @param primaryKeyInKey positions in the join key of the columns that are in the primary key
 * @param layoutOfPrimaryKey compares those columns, as a key of their own, with a row
 */
record LookupKeys(RowType rowType, List<Integer> all, List<Integer> primaryKeyInKey, KeyLayout layoutOfPrimaryKey) {

    static LookupKeys of(LookupSpec spec) {
        RowType rowType = spec.resultType();
        List<String> primaryKey = spec.table().primaryKeys();
        List<Integer> inKey = new ArrayList<>();
        List<Integer> inRow = new ArrayList<>();
        for (int i = 0; i < spec.keys().size(); i++) {
            int position = spec.keys().get(i);
            if (primaryKey.contains(rowType.getFieldNames().get(position)) && !inRow.contains(position)) {
                inKey.add(i);
                inRow.add(position);
            }
        }
        return new LookupKeys(rowType, spec.keys(), inKey, new KeyLayout(rowType.getChildren(), inRow));
    }

    /** Positions in a row of the primary key's columns, in the order they have in the join key. */
    List<Integer> primaryKey() {
        return primaryKeyInKey.stream().map(all::get).toList();
    }

    boolean isPrimaryKey() {
        return primaryKeyInKey.size() == all.size();
    }

    /** Types of the join key's columns. */
    List<LogicalType> types() {
        return all.stream().map(rowType::getTypeAt).toList();
    }
}
