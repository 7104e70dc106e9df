/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketRouter;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** Finds where each row belongs, once. Runs chained to where the rows come from. */
public final class RoutingFunction implements MapFunction<RowData, BucketedRow> {

    private static final long serialVersionUID = 1L;

    private final BucketRouter.Opener opener;
    private transient @Nullable BucketRouter router;
    private transient @Nullable FlinkToEngineRow rows;
    private transient @Nullable BucketedRow reused;

    public RoutingFunction(BucketRouter.Opener opener) {
        this.opener = opener;
    }

    @Override
    public BucketedRow map(RowData row) {
        BucketRouter bucketRouter = router;
        FlinkToEngineRow converter = rows;
        if (bucketRouter == null || converter == null) {
            bucketRouter = opener.open();
            converter = new FlinkToEngineRow();
            router = bucketRouter;
            rows = converter;
        }
        bucketRouter.look(converter.convert(row));
        int partitionHash = bucketRouter.partitionHash();
        int bucket = bucketRouter.number();
        BucketedRow result = reused;
        if (result == null) {
            result = new BucketedRow(partitionHash, bucket, row);
            reused = result;
        }
        return result.replace(partitionHash, bucket, row);
    }
}
