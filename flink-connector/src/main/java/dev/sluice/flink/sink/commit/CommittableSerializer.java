/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.paimon.table.sink.CommitMessage;

/** Ships committables from writers to the committer of the same job; state goes through {@link CommitterState}. */
public final class CommittableSerializer extends TypeSerializerSingleton<Committable> {

    private static final long serialVersionUID = 1L;

    public static final CommittableSerializer INSTANCE = new CommittableSerializer();

    private CommittableSerializer() {}

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public Committable createInstance() {
        return new Committable(0, 0, 1, false, List.of());
    }

    @Override
    public Committable copy(Committable from) {
        return from;
    }

    @Override
    public Committable copy(Committable from, Committable reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(Committable committable, DataOutputView out) throws IOException {
        out.writeLong(committable.checkpointId());
        out.writeInt(committable.writer());
        out.writeInt(committable.writers());
        out.writeBoolean(committable.last());
        new CommittableCodec().write(committable.messages(), out);
    }

    @Override
    public Committable deserialize(DataInputView in) throws IOException {
        long checkpointId = in.readLong();
        int writer = in.readInt();
        int writers = in.readInt();
        boolean last = in.readBoolean();
        List<CommitMessage> messages = new CommittableCodec().read(in);
        return new Committable(checkpointId, writer, writers, last, messages);
    }

    @Override
    public Committable deserialize(Committable reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public TypeSerializerSnapshot<Committable> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Flink asks every serializer for one; no state is written with it. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Committable> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
