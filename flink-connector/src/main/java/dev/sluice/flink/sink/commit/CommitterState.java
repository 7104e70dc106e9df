/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import dev.sluice.flink.store.PendingCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What the committer keeps in a checkpoint.
 *
 * @param commitUser names the job's commits, over all its restarts
 * @param pending commits that are not known to be done, in ascending order of checkpoint ids
 * @param unmarkedPartitions partitions that wait to be marked as complete, as paths below the table
 * @param untaggedSavepoints checkpoint ids of savepoints whose snapshots are still to be tagged
 */
record CommitterState(
        String commitUser,
        List<PendingCommit> pending,
        List<String> unmarkedPartitions,
        List<Long> untaggedSavepoints) {

    /** The first version ended with the pending commits. */
    private static final int VERSION = 2;

    CommitterState {
        pending = List.copyOf(pending);
        unmarkedPartitions = List.copyOf(unmarkedPartitions);
        untaggedSavepoints = List.copyOf(untaggedSavepoints);
    }

    byte[] toBytes() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        CommittableCodec codec = new CommittableCodec();
        out.writeInt(VERSION);
        out.writeUTF(commitUser);
        out.writeInt(pending.size());
        for (PendingCommit one : pending) {
            out.writeLong(one.checkpointId());
            Long watermark = one.watermark();
            out.writeBoolean(watermark != null);
            if (watermark != null) {
                out.writeLong(watermark);
            }
            codec.write(one.messages(), out);
        }
        out.writeInt(unmarkedPartitions.size());
        for (String partition : unmarkedPartitions) {
            out.writeUTF(partition);
        }
        out.writeInt(untaggedSavepoints.size());
        for (Long savepoint : untaggedSavepoints) {
            out.writeLong(savepoint);
        }
        return out.getCopyOfBuffer();
    }

    static CommitterState fromBytes(byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new IOException("The committer's state has version " + version + ", this version reads 1 to "
                    + VERSION + ". Restore with the Sluice version that wrote the checkpoint, or a newer one.");
        }
        String commitUser = in.readUTF();
        int count = in.readInt();
        CommittableCodec codec = new CommittableCodec();
        List<PendingCommit> pending = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long checkpointId = in.readLong();
            Long watermark = in.readBoolean() ? in.readLong() : null;
            pending.add(new PendingCommit(checkpointId, watermark, codec.read(in)));
        }
        List<String> partitions = new ArrayList<>();
        List<Long> savepoints = new ArrayList<>();
        if (version >= 2) {
            for (int left = in.readInt(); left > 0; left--) {
                partitions.add(in.readUTF());
            }
            for (int left = in.readInt(); left > 0; left--) {
                savepoints.add(in.readLong());
            }
        }
        return new CommitterState(commitUser, pending, partitions, savepoints);
    }
}
