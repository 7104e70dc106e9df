/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What a writer of a bucketed table keeps in a checkpoint.
 *
 * @param commitUser names the job's commits, over all its restarts
 * @param newestCheckpoint the newest checkpoint that the writer had files for; 0 if it had none, or if they are known to
 *     be committed
 * @param compacted whether those files include results of compactions
 */
record WriterState(String commitUser, long newestCheckpoint, boolean compacted) {

    private static final int VERSION = 1;

    /** The state of a writer that waits for no commit. */
    WriterState allCommitted() {
        return new WriterState(commitUser, 0, false);
    }

    byte[] toBytes() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeInt(VERSION);
        out.writeUTF(commitUser);
        out.writeLong(newestCheckpoint);
        out.writeBoolean(compacted);
        return out.getCopyOfBuffer();
    }

    static WriterState fromBytes(byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("The writer's state has version " + version + ", this version reads " + VERSION
                    + ". Restore with the Sluice version that wrote the checkpoint, or a newer one.");
        }
        return new WriterState(in.readUTF(), in.readLong(), in.readBoolean());
    }

    /** The state of two writers as one. */
    WriterState with(WriterState other) {
        if (other.newestCheckpoint == newestCheckpoint) {
            return new WriterState(commitUser, newestCheckpoint, compacted || other.compacted);
        }
        return other.newestCheckpoint > newestCheckpoint ? other : this;
    }
}
