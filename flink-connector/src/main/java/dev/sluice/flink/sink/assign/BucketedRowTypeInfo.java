/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.sink.commit.EdgeTypeInfo;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;

/** The type of the edge from assigners to writers. */
public final class BucketedRowTypeInfo extends EdgeTypeInfo<BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> rows;

    public BucketedRowTypeInfo(TypeInformation<RowData> rows) {
        super(BucketedRow.class, rows);
        this.rows = rows;
    }

    @Override
    public TypeSerializer<BucketedRow> createSerializer(SerializerConfig config) {
        return new BucketedRowSerializer(rows.createSerializer(config));
    }
}
