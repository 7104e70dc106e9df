/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What a writer keeps in a checkpoint. A restored writer asks for nothing of it: it is there because Flink tells only an
 * operator with state which checkpoint it is restored from.
 *
 * @param commitUser names the job's commits, over all its restarts
 */
record WriterState(String commitUser) {

    /** The first version also had the newest checkpoint with files, a long, and whether they were compacted. */
    private static final int VERSION = 2;

    byte[] toBytes() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeInt(VERSION);
        out.writeUTF(commitUser);
        return out.getCopyOfBuffer();
    }

    static WriterState fromBytes(byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new IOException("The writer's state has version " + version + ", this version reads 1 to " + VERSION
                    + ". Restore with the Sluice version that wrote the checkpoint, or a newer one.");
        }
        return new WriterState(in.readUTF());
    }
}
