/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.store.BucketRouter;
import org.apache.flink.runtime.io.network.api.writer.SubtaskStateMapper;
import org.apache.flink.runtime.plugable.SerializationDelegate;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Sends all rows of a bucket to one writer. */
public final class BucketPartitioner extends StreamPartitioner<BucketedRow> {

    private static final long serialVersionUID = 1L;

    @Override
    public int selectChannel(SerializationDelegate<StreamRecord<BucketedRow>> record) {
        BucketedRow row = record.getInstance().getValue();
        return BucketRouter.writer(row.partitionHash(), row.bucket(), numberOfChannels);
    }

    /** Rows in flight of an unaligned checkpoint are offered to all writers of a rescaled job, and each keeps its own. */
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
        return "BUCKET";
    }
}
