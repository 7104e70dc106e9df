/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What an operator keeps in a checkpoint that has nothing to keep. Flink tells an operator that it is being restored, and
 * from which checkpoint, only if it has some state.
 */
final class AssignerState {

    private static final int VERSION = 1;
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("sluice-assigner", BytePrimitiveArraySerializer.INSTANCE);

    private AssignerState() {}

    /** @throws IOException if a newer version has written the state */
    static void keep(OperatorStateStore store) throws Exception {
        ListState<byte[]> state = store.getListState(STATE);
        for (byte[] bytes : state.get()) {
            check(bytes);
        }
        state.update(List.of(bytes()));
    }

    static byte[] bytes() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(4);
        out.writeInt(VERSION);
        return out.getCopyOfBuffer();
    }

    static void check(byte[] bytes) throws IOException {
        int version = new DataInputDeserializer(bytes).readInt();
        if (version != VERSION) {
            throw new IOException("The assigner's state has version " + version + ", this version reads " + VERSION
                    + ". Restore with the Sluice version that wrote the checkpoint, or a newer one.");
        }
    }
}
