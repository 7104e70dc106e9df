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
 * @param untold commits that are done and that the listeners' state does not know of, in ascending order of checkpoint
 *     ids; some may be among the pending ones too
 */
record CommitterState(
        String commitUser,
        List<PendingCommit> pending,
        List<String> unmarkedPartitions,
        List<Long> untaggedSavepoints,
        List<PendingCommit> untold) {

    /** The first version ended with the pending commits, the second with the savepoints. */
    private static final int VERSION = 3;

    CommitterState {
        pending = List.copyOf(pending);
        unmarkedPartitions = List.copyOf(unmarkedPartitions);
        untaggedSavepoints = List.copyOf(untaggedSavepoints);
        untold = List.copyOf(untold);
    }

    byte[] toBytes() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        out.writeInt(VERSION);
        out.writeUTF(commitUser);
        write(pending, out);
        out.writeInt(unmarkedPartitions.size());
        for (String partition : unmarkedPartitions) {
            out.writeUTF(partition);
        }
        out.writeInt(untaggedSavepoints.size());
        for (Long savepoint : untaggedSavepoints) {
            out.writeLong(savepoint);
        }
        write(untold, out);
        return out.getCopyOfBuffer();
    }

    private static void write(List<PendingCommit> commits, DataOutputSerializer out) throws IOException {
        CommittableCodec codec = new CommittableCodec();
        out.writeInt(commits.size());
        for (PendingCommit one : commits) {
            out.writeLong(one.checkpointId());
            Long watermark = one.watermark();
            out.writeBoolean(watermark != null);
            if (watermark != null) {
                out.writeLong(watermark);
            }
            codec.write(one.messages(), out);
        }
    }

    static CommitterState fromBytes(byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new IOException("The committer's state has version " + version + ", this version reads 1 to "
                    + VERSION + ". Restore with the Sluice version that wrote the checkpoint, or a newer one.");
        }
        String commitUser = in.readUTF();
        List<PendingCommit> pending = readCommits(in);
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
        List<PendingCommit> untold = version >= 3 ? readCommits(in) : List.of();
        return new CommitterState(commitUser, pending, partitions, savepoints, untold);
    }

    private static List<PendingCommit> readCommits(DataInputDeserializer in) throws IOException {
        int count = in.readInt();
        CommittableCodec codec = new CommittableCodec();
        List<PendingCommit> commits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long checkpointId = in.readLong();
            Long watermark = in.readBoolean() ? in.readLong() : null;
            commits.add(new PendingCommit(checkpointId, watermark, codec.read(in)));
        }
        return commits;
    }
}
