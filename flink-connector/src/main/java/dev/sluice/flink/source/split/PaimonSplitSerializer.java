/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import dev.sluice.flink.store.SplitCodec;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Splits in checkpoints and on their way to readers. Version 1: id, rows read, length and bytes of the split. */
public final class PaimonSplitSerializer implements SimpleVersionedSerializer<PaimonSplit> {

    static final int VERSION = 1;
    private static final int INITIAL_BYTES = 512;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(PaimonSplit split) throws IOException {
        byte[] content = SplitCodec.encode(split.split());
        DataOutputSerializer out = new DataOutputSerializer(INITIAL_BYTES);
        out.writeUTF(split.splitId());
        out.writeLong(split.rowsRead());
        out.writeInt(content.length);
        out.write(content);
        return out.getCopyOfBuffer();
    }

    @Override
    public PaimonSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("A split in the job's state has version " + version + ", known is " + VERSION
                    + "; the state was written by a newer version of the connector: restore with that one.");
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        String splitId = in.readUTF();
        long rowsRead = in.readLong();
        byte[] content = new byte[in.readInt()];
        in.readFully(content);
        return new PaimonSplit(splitId, SplitCodec.decode(content), rowsRead);
    }
}
