/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;

/** Lists of commit messages as bytes: the engine's format version, the count, each message with its length. */
final class CommittableCodec {

    private final CommitMessageSerializer engine = new CommitMessageSerializer();

    void write(List<CommitMessage> messages, DataOutputView out) throws IOException {
        out.writeInt(engine.getVersion());
        out.writeInt(messages.size());
        for (CommitMessage message : messages) {
            byte[] bytes = engine.serialize(message);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    List<CommitMessage> read(DataInputView in) throws IOException {
        int version = in.readInt();
        if (version > engine.getVersion()) {
            throw new IOException("Commit messages have format version " + version + ", this version reads up to "
                    + engine.getVersion() + ". Run the Sluice version that wrote them, or a newer one.");
        }
        int count = in.readInt();
        List<CommitMessage> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            messages.add(engine.deserialize(version, bytes));
        }
        return messages;
    }
}
