/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.store.DynamicBuckets;
import org.apache.flink.runtime.io.network.api.writer.SubtaskStateMapper;
import org.apache.flink.runtime.plugable.SerializationDelegate;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Sends all rows of a key to the assigner that owns it. */
public final class KeyPartitioner extends StreamPartitioner<BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final int mostAssigners;

    /** @param mostAssigners that share the keys of one partition */
    public KeyPartitioner(int mostAssigners) {
        this.mostAssigners = mostAssigners;
    }

    @Override
    public int selectChannel(SerializationDelegate<StreamRecord<BucketedRow>> record) {
        BucketedRow row = record.getInstance().getValue();
        return DynamicBuckets.owner(row.partitionHash(), row.bucket(), numberOfChannels, mostAssigners);
    }

    /** Rows in flight of an unaligned checkpoint are offered to all assigners, and each keeps those of its keys. */
    @Override
    public SubtaskStateMapper getDownstreamSubtaskStateMapper() {
        return SubtaskStateMapper.FULL;
    }

    @Override
    public StreamPartitioner<BucketedRow> copy() {
        return this;
    }

    @Override
    public boolean isPointwise() {
        return false;
    }

    @Override
    public String toString() {
        return "KEY";
    }
}
