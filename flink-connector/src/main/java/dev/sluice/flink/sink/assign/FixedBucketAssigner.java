/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketRouter;
import dev.sluice.flink.store.StoreTable;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** Computes the bucket of each row of a table with a fixed number of them. Runs where the rows come from. */
public final class FixedBucketAssigner implements MapFunction<RowData, BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private transient @Nullable BucketRouter router;
    private transient @Nullable FlinkToEngineRow rows;
    private transient @Nullable BucketedRow reused;

    public FixedBucketAssigner(StoreTable table) {
        this.table = table;
    }

    @Override
    public BucketedRow map(RowData row) {
        BucketRouter bucketRouter = router;
        FlinkToEngineRow converter = rows;
        if (bucketRouter == null || converter == null) {
            bucketRouter = new BucketRouter(table);
            converter = new FlinkToEngineRow();
            router = bucketRouter;
            rows = converter;
        }
        bucketRouter.look(converter.convert(row));
        int partitionHash = bucketRouter.partitionHash();
        int bucket = bucketRouter.bucket();
        BucketedRow result = reused;
        if (result == null) {
            result = new BucketedRow(partitionHash, bucket, row);
            reused = result;
        }
        return result.replace(partitionHash, bucket, row);
    }
}
