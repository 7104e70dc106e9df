/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

final class BucketedRowSerializerTest {

    private static final InternalTypeInfo<RowData> ROWS =
            InternalTypeInfo.ofFields(new IntType(), VarCharType.STRING_TYPE);

    private final TypeSerializer<BucketedRow> serializer =
            new BucketedRowTypeInfo(ROWS).createSerializer(new SerializerConfigImpl());

    private static BucketedRow row(int number) {
        return new BucketedRow(
                -number, number, GenericRowData.ofKind(RowKind.DELETE, number, StringData.fromString("s" + number)));
    }

    private static void assertRow(BucketedRow row, int number) {
        assertThat(row.partitionHash()).isEqualTo(-number);
        assertThat(row.bucket()).isEqualTo(number);
        assertThat(row.row().getRowKind()).isEqualTo(RowKind.DELETE);
        assertThat(row.row().getInt(0)).isEqualTo(number);
        assertThat(row.row().getString(1)).hasToString("s" + number);
    }

    private byte[] bytes(int number) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(row(number), out);
        return out.getCopyOfBuffer();
    }

    @Test
    void whatIsReadIsWhatWasWritten() throws Exception {
        assertRow(serializer.deserialize(new DataInputDeserializer(bytes(7))), 7);
        BucketedRow reuse = serializer.deserialize(new DataInputDeserializer(bytes(3)));
        assertRow(serializer.deserialize(reuse, new DataInputDeserializer(bytes(9))), 9);
    }

    @Test
    void copiesDoNotFollowTheirSource() throws Exception {
        BucketedRow source = serializer.deserialize(new DataInputDeserializer(bytes(1)));
        BucketedRow copy = serializer.copy(source);
        DataOutputSerializer copied = new DataOutputSerializer(64);
        serializer.copy(new DataInputDeserializer(bytes(2)), copied);
        BucketedRow unused = serializer.deserialize(source, new DataInputDeserializer(copied.getCopyOfBuffer()));
        assertRow(copy, 1);
        assertRow(unused, 2);
    }

    @Test
    void lentRowsAreNotCopiedBetweenChainedOperatorsAndTheSameOnTheWire() throws Exception {
        TypeSerializer<RowData> lent = new LentTypeInfo<>(ROWS).createSerializer(new SerializerConfigImpl());
        RowData row = row(5).row();
        assertThat(lent.copy(row)).isSameAs(row);

        DataOutputSerializer asLent = new DataOutputSerializer(64);
        lent.serialize(row, asLent);
        DataOutputSerializer asRow = new DataOutputSerializer(64);
        ROWS.createSerializer(new SerializerConfigImpl()).serialize(row, asRow);
        assertThat(asLent.getCopyOfBuffer()).isEqualTo(asRow.getCopyOfBuffer());
    }
}
