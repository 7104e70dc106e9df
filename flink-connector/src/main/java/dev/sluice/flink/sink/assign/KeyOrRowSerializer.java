/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** The hash, then the length of the entry and the entry, or -1 and the row. Never part of a checkpoint. */
final class KeyOrRowSerializer extends TypeSerializer<KeyOrRow> {

    private static final long serialVersionUID = 1L;
    private static final int ROW = -1;

    private final TypeSerializer<RowData> rows;

    KeyOrRowSerializer(TypeSerializer<RowData> rows) {
        this.rows = rows;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<KeyOrRow> duplicate() {
        return new KeyOrRowSerializer(rows.duplicate());
    }

    @Override
    public KeyOrRow createInstance() {
        return new KeyOrRow(0, rows.createInstance(), null);
    }

    @Override
    public KeyOrRow copy(KeyOrRow from) {
        RowData row = from.row();
        return row == null ? from : new KeyOrRow(from.keyHash(), rows.copy(row), null);
    }

    @Override
    public KeyOrRow copy(KeyOrRow from, KeyOrRow reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(KeyOrRow value, DataOutputView out) throws IOException {
        out.writeInt(value.keyHash());
        byte[] entry = value.entry();
        RowData row = value.row();
        if (entry != null) {
            out.writeInt(entry.length);
            out.write(entry);
        } else if (row != null) {
            out.writeInt(ROW);
            rows.serialize(row, out);
        }
    }

    @Override
    public KeyOrRow deserialize(DataInputView in) throws IOException {
        int keyHash = in.readInt();
        int length = in.readInt();
        if (length == ROW) {
            return new KeyOrRow(keyHash, rows.deserialize(in), null);
        }
        byte[] entry = new byte[length];
        in.readFully(entry);
        return new KeyOrRow(keyHash, null, entry);
    }

    @Override
    public KeyOrRow deserialize(KeyOrRow reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyOrRowSerializer that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<KeyOrRow> snapshotConfiguration() {
        return new Snapshot(this);
    }

    /** Flink asks every serializer for one; no state is written with it. */
    public static final class Snapshot extends CompositeTypeSerializerSnapshot<KeyOrRow, KeyOrRowSerializer> {

        /** For Flink, which makes one by reflection. */
        public Snapshot() {}

        private Snapshot(KeyOrRowSerializer serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return 1;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(KeyOrRowSerializer outer) {
            return new TypeSerializer<?>[] {outer.rows};
        }

        @Override
        @SuppressWarnings("unchecked") // the one nested serializer is that of the rows
        protected KeyOrRowSerializer createOuterSerializerWithNestedSerializers(TypeSerializer<?>[] nested) {
            return new KeyOrRowSerializer((TypeSerializer<RowData>) nested[0]);
        }
    }
}
