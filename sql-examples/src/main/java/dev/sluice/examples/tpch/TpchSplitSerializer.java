/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Splits in checkpoints; version 1. */
final class TpchSplitSerializer implements SimpleVersionedSerializer<TpchSplit> {

    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(TpchSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        write(split, out);
        return out.getCopyOfBuffer();
    }

    @Override
    public TpchSplit deserialize(int version, byte[] serialized) throws IOException {
        checkVersion(version);
        return read(new DataInputDeserializer(serialized));
    }

    /** The splits that no reader has yet: the enumerator's state. */
    static SimpleVersionedSerializer<Collection<TpchSplit>> ofAll() {
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return VERSION;
            }

            @Override
            public byte[] serialize(Collection<TpchSplit> splits) throws IOException {
                DataOutputSerializer out = new DataOutputSerializer(64 * splits.size() + 4);
                out.writeInt(splits.size());
                for (TpchSplit split : splits) {
                    write(split, out);
                }
                return out.getCopyOfBuffer();
            }

            @Override
            public Collection<TpchSplit> deserialize(int version, byte[] serialized) throws IOException {
                checkVersion(version);
                DataInputDeserializer in = new DataInputDeserializer(serialized);
                int count = in.readInt();
                List<TpchSplit> splits = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    splits.add(read(in));
                }
                return splits;
            }
        };
    }

    private static void write(TpchSplit split, DataOutputSerializer out) throws IOException {
        out.writeUTF(split.table().name());
        out.writeDouble(split.scale());
        out.writeInt(split.part());
        out.writeInt(split.parts());
        out.writeLong(split.position());
    }

    private static TpchSplit read(DataInputDeserializer in) throws IOException {
        return new TpchSplit(
                TpchTables.valueOf(in.readUTF()), in.readDouble(), in.readInt(), in.readInt(), in.readLong());
    }

    private static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("A checkpoint holds TPC-H splits of version " + version
                    + ", this version reads version " + VERSION
                    + ". Start the job without the checkpoint; the data is generated anew.");
        }
    }
}
