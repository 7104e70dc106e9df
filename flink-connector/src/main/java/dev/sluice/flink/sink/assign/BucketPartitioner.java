/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.runtime.io.network.api.writer.SubtaskStateMapper;
import org.apache.flink.runtime.plugable.SerializationDelegate;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/**
 * Sends all rows of a bucket to one writer. Each output of each upstream subtask has an instance of its own, used by that
 * subtask's thread.
 */
public final class BucketPartitioner extends StreamPartitioner<RowData> {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private transient @Nullable BucketRouter router;
    private transient @Nullable FlinkToEngineRow rows;

    public BucketPartitioner(StoreTable table) {
        this.table = table;
    }

    @Override
    public int selectChannel(SerializationDelegate<StreamRecord<RowData>> record) {
        BucketRouter bucketRouter = router;
        FlinkToEngineRow converter = rows;
        if (bucketRouter == null || converter == null) {
            bucketRouter = new BucketRouter(table);
            converter = new FlinkToEngineRow();
            router = bucketRouter;
            rows = converter;
        }
        return bucketRouter.writer(converter.convert(record.getInstance().getValue()), numberOfChannels);
    }

    /** Rows in flight of an unaligned checkpoint are offered to all writers of a rescaled job, and each keeps its own. */
    @Override
    public SubtaskStateMapper getDownstreamSubtaskStateMapper() {
        return SubtaskStateMapper.FULL;
    }

    @Override
    public StreamPartitioner<RowData> copy() {
        return new BucketPartitioner(table);
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
