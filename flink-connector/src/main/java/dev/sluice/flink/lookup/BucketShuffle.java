/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.BucketOfKey;
import dev.sluice.flink.store.BucketShare;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.connector.source.abilities.SupportsLookupCustomShuffle;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/** Sends each probe to a subtask that holds the bucket of its key, so that each need hold only a share of the table. */
public final class BucketShuffle implements SupportsLookupCustomShuffle.InputDataPartitioner {

    private static final long serialVersionUID = 1L;

    private final LookupSpec spec;

    /** Made where the rows are sent. */
    private transient @Nullable Route route;

    private record Route(KeyEncoder encoder, FlinkToEngineRow toEngine, BucketOfKey bucketOfKey, int buckets) {}

    /** @param spec of a join whose key tells its bucket */
    public BucketShuffle(LookupSpec spec) {
        this.spec = spec;
    }

    @Override
    public int partition(RowData joinKeys, int numPartitions) {
        Route known = route;
        if (known == null) {
            known = newRoute();
            route = known;
        }
        BinaryRowData key = known.encoder.encode(joinKeys);
        if (key == null) {
            // Matches nothing, wherever it goes.
            return 0;
        }
        int bucket = known.bucketOfKey.bucket(known.toEngine.convert(key));
        return BucketShare.subtask(bucket, known.buckets, numPartitions, key.hashCode());
    }

    private Route newRoute() {
        LookupKeys keys = LookupKeys.of(spec);
        List<Integer> inOrder = IntStream.range(0, keys.all().size()).boxed().toList();
        return new Route(
                new KeyEncoder(keys.types(), inOrder),
                new FlinkToEngineRow(),
                BucketOfKey.of(spec.table(), spec.keyNames()),
                BucketOfKey.declared(spec.table()));
    }
}
