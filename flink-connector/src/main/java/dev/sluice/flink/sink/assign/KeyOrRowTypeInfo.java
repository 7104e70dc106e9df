/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.sink.commit.EdgeTypeInfo;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;

/** The type of the edge to the assigners of a table whose keys move between partitions. */
final class KeyOrRowTypeInfo extends EdgeTypeInfo<KeyOrRow> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> rows;

    KeyOrRowTypeInfo(TypeInformation<RowData> rows) {
        super(KeyOrRow.class, rows);
        this.rows = rows;
    }

    @Override
    public TypeSerializer<KeyOrRow> createSerializer(SerializerConfig config) {
        return new KeyOrRowSerializer(rows.createSerializer(config));
    }
}
