/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/** Rows of {@link Warehouse}'s tables; the number decides all of a row. */
final class Rows {

    static final InternalTypeInfo<RowData> TYPE = InternalTypeInfo.of(RowType.of(
            new LogicalType[] {new BigIntType(), new IntType(), VarCharType.STRING_TYPE},
            new String[] {"id", "part", "note"}));

    private Rows() {}

    static RowData row(long id) {
        return row(RowKind.INSERT, id, "n" + id);
    }

    static RowData row(RowKind kind, long id, String note) {
        return GenericRowData.ofKind(kind, id, (int) (id % 3), StringData.fromString(note));
    }

    static List<String> expected(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(id -> id + "|" + id % 3 + "|n" + id)
                .toList();
    }
}
