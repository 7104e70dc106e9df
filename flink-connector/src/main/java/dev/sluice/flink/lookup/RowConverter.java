/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.FlinkToEngineRow;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/** Turns keys and rows of a search by primary key into each other. Used by one thread. */
final class RowConverter {

    private final FlinkToEngineRow toEngine = new FlinkToEngineRow();
    private final EngineToFlinkRow toFlink = new EngineToFlinkRow();
    private final RowDataSerializer serializer;
    private final KeyEncoder primaryKeyOfRow;
    private final KeyEncoder keyOfRow;

    /** Null if the join key has no columns beside the primary key's: then it is the primary key. */
    private final @Nullable KeyEncoder primaryKeyOfKey;

    RowConverter(LookupKeys keys) {
        RowType rowType = keys.rowType();
        serializer = new RowDataSerializer(rowType);
        primaryKeyOfRow = new KeyEncoder(rowType.getChildren(), keys.primaryKey());
        keyOfRow = new KeyEncoder(rowType.getChildren(), keys.all());
        primaryKeyOfKey = keys.isPrimaryKey() ? null : new KeyEncoder(keys.types(), keys.primaryKeyInKey());
    }

    InternalRow toEngine(RowData row) {
        return toEngine.convert(row);
    }

    /** @return the primary key in a join key; the join key itself, or reused by the next call */
    BinaryRowData primaryKey(BinaryRowData key) {
        BinaryRowData primaryKey = primaryKeyOfKey == null ? key : primaryKeyOfKey.encode(key);
        if (primaryKey == null) {
            throw new IllegalStateException("A key with a NULL reached the view.");
        }
        return primaryKey;
    }

    /** @return reused by the next call; null if one of its values is NULL */
    @Nullable
    BinaryRowData primaryKeyOfRow(BinaryRowData row) {
        return primaryKeyOfRow.encode(row);
    }

    /** The join may also compare columns outside the primary key, which the search by it does not. */
    Collection<RowData> matching(BinaryRowData key, Collection<RowData> rows) {
        if (primaryKeyOfKey == null || rows.isEmpty()) {
            return rows;
        }
        return key.equals(keyOfRow.encode(rows.iterator().next())) ? rows : List.of();
    }

    /** @return reused by the next call */
    BinaryRowData binary(InternalRow row) {
        BinaryRowData binary = serializer.toBinaryRow(toFlink.convert(row));
        // To a join all rows are the same, however they were written.
        binary.setRowKind(RowKind.INSERT);
        return binary;
    }
}
