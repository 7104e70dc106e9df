/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.runtime.io.network.api.writer.SubtaskStateMapper;
import org.apache.flink.runtime.plugable.SerializationDelegate;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Sends all rows of a key, and the place it has, to one assigner. None of them becomes part of an unaligned checkpoint's
 * in-flight data: places are read anew after a restore.
 */
final class GlobalKeyPartitioner extends StreamPartitioner<KeyOrRow> {

    private static final long serialVersionUID = 1L;

    GlobalKeyPartitioner() {
        disableUnalignedCheckpoints();
    }

    @Override
    public int selectChannel(SerializationDelegate<StreamRecord<KeyOrRow>> record) {
        return Math.floorMod(record.getInstance().getValue().keyHash(), numberOfChannels);
    }

    @Override
    public SubtaskStateMapper getDownstreamSubtaskStateMapper() {
        return SubtaskStateMapper.FULL;
    }

    @Override
    public StreamPartitioner<KeyOrRow> copy() {
        return this;
    }

    @Override
    public boolean isPointwise() {
        return false;
    }

    @Override
    public String toString() {
        return "GLOBAL KEY";
    }
}
