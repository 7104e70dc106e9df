/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.PaimonSplitSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Version 1: whether there is a position, the position, whether planning is complete, the version of the splits, their
 * number, and each one's length and bytes. Version 2 adds whether there is a last snapshot, and it.
 */
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {

    static final int VERSION = 2;
    private static final int INITIAL_BYTES = 1024;

    private final PaimonSplitSerializer splits = new PaimonSplitSerializer();

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(INITIAL_BYTES);
        write(state.position(), out);
        out.writeBoolean(state.complete());
        out.writeInt(splits.getVersion());
        out.writeInt(state.waiting().size());
        for (PaimonSplit split : state.waiting()) {
            byte[] bytes = splits.serialize(split);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
        write(state.last(), out);
        return out.getCopyOfBuffer();
    }

    private static void write(@Nullable Long value, DataOutputSerializer out) throws IOException {
        out.writeBoolean(value != null);
        out.writeLong(value == null ? 0 : value);
    }

    private static @Nullable Long read(DataInputDeserializer in) throws IOException {
        boolean present = in.readBoolean();
        long value = in.readLong();
        return present ? value : null;
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
        if (version < 1 || version > VERSION) {
            throw new IOException("The source's position in the job's state has version " + version
                    + ", known are 1 and " + VERSION
                    + "; the state was written by a newer version of the connector: restore with that one.");
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        Long position = read(in);
        boolean complete = in.readBoolean();
        int splitVersion = in.readInt();
        int count = in.readInt();
        List<PaimonSplit> waiting = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            waiting.add(splits.deserialize(splitVersion, bytes));
        }
        return new EnumeratorState(waiting, position, complete, version == 1 ? null : read(in));
    }
}
