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

/** Two integers, then the row as its own serializer writes it; part of checkpoints only as rows in flight. */
final class BucketedRowSerializer extends TypeSerializer<BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<RowData> rows;

    BucketedRowSerializer(TypeSerializer<RowData> rows) {
        this.rows = rows;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<BucketedRow> duplicate() {
        return new BucketedRowSerializer(rows.duplicate());
    }

    @Override
    public BucketedRow createInstance() {
        return new BucketedRow(0, 0, rows.createInstance());
    }

    @Override
    public BucketedRow copy(BucketedRow from) {
        return new BucketedRow(from.partitionHash(), from.bucket(), rows.copy(from.row()));
    }

    @Override
    public BucketedRow copy(BucketedRow from, BucketedRow reuse) {
        return reuse.replace(from.partitionHash(), from.bucket(), rows.copy(from.row(), reuse.row()));
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(BucketedRow value, DataOutputView out) throws IOException {
        out.writeInt(value.partitionHash());
        out.writeInt(value.bucket());
        rows.serialize(value.row(), out);
    }

    @Override
    public BucketedRow deserialize(DataInputView in) throws IOException {
        return new BucketedRow(in.readInt(), in.readInt(), rows.deserialize(in));
    }

    @Override
    public BucketedRow deserialize(BucketedRow reuse, DataInputView in) throws IOException {
        return reuse.replace(in.readInt(), in.readInt(), rows.deserialize(reuse.row(), in));
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        out.writeInt(in.readInt());
        out.writeInt(in.readInt());
        rows.copy(in, out);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BucketedRowSerializer that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<BucketedRow> snapshotConfiguration() {
        return new Snapshot(this);
    }

    /** Flink asks every serializer for one; no state is written with it. */
    public static final class Snapshot extends CompositeTypeSerializerSnapshot<BucketedRow, BucketedRowSerializer> {

        /** For Flink, which makes one by reflection. */
        public Snapshot() {}

        private Snapshot(BucketedRowSerializer serializer) {
            super(serializer);
        }

        @Override
        protected int getCurrentOuterSnapshotVersion() {
            return 1;
        }

        @Override
        protected TypeSerializer<?>[] getNestedSerializers(BucketedRowSerializer outer) {
            return new TypeSerializer<?>[] {outer.rows};
        }

        @Override
        @SuppressWarnings("unchecked") // the one nested serializer is that of the rows
        protected BucketedRowSerializer createOuterSerializerWithNestedSerializers(TypeSerializer<?>[] nested) {
            return new BucketedRowSerializer((TypeSerializer<RowData>) nested[0]);
        }
    }
}
