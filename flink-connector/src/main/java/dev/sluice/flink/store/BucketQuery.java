/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.bucket.BucketFunction;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.query.LocalTableQuery;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/**
 * The engine's search in the files of a bucket, and which bucket a key is in. One thread feeds it, many may search.
 *
 * <p>In 2.0.0 the engine's own search object hands one key comparator, which moves two readers of its own from key to
 * key, to the local copies of all its files. Threads in different buckets then move them under each other, and keys that
 * exist are not found (apache/paimon#9483; apache/paimon#9500 gives each thread its readers, in a release after 2.0.0).
 * So the buckets are dealt out to several such objects, each used by one thread at a time; with an engine that has the
 * fix one object without the locks will do.
 */
final class BucketQuery implements AutoCloseable {

    /** A smaller block cache would not hold the index of a file. */
    private static final long SMALLEST_CACHE_BYTES = 4L << 20;

    private final List<LocalTableQuery> queries = new ArrayList<>();
    private final TableSchema schema;
    private final BucketFunction bucketFunction;
    private final int declaredBuckets;
    private final int[] trimmedKey;
    private final Map<BinaryRow, Integer> bucketsOfPartition = new ConcurrentHashMap<>();

    /** The generated projections reuse the row they return. */
    private final ThreadLocal<KeyParts> keyParts = ThreadLocal.withInitial(this::newKeyParts);

    private record KeyParts(Projection partition, Projection bucketKey) {}

    /**
     * @param columns positions in the table's row type of the columns of a found row
     * @param concurrency the most searches at once, as far as they are in different buckets
     */
    BucketQuery(FileStoreTable store, int[] columns, IOManager localFiles, int concurrency) {
        FileStoreTable limited = store.copyWithoutTimeTravel(shareOfLimits(store.coreOptions(), concurrency));
        for (int i = 0; i < concurrency; i++) {
            queries.add(
                    limited.newLocalTableQuery().withValueProjection(columns).withIOManager(localFiles));
        }
        this.schema = store.schema();
        this.bucketFunction = BucketFunction.create(store.coreOptions(), schema.logicalBucketKeyType());
        this.declaredBuckets = schema.numBuckets();
        this.trimmedKey = positionsInKey(schema.trimmedPrimaryKeys());
    }

    /** Together the search objects stay within what is allowed for one. */
    private static Map<String, String> shareOfLimits(CoreOptions options, int shares) {
        long memory = options.lookupCacheMaxMemory().getBytes() / shares;
        long disk = options.toConfiguration()
                        .get(CoreOptions.LOOKUP_CACHE_MAX_DISK_SIZE)
                        .getBytes()
                / shares;
        return Map.of(
                CoreOptions.LOOKUP_CACHE_MAX_MEMORY_SIZE.key(), Math.max(memory, SMALLEST_CACHE_BYTES) + " bytes",
                CoreOptions.LOOKUP_CACHE_MAX_DISK_SIZE.key(), disk + " bytes");
    }

    private LocalTableQuery queryOf(BinaryRow partition, int bucket) {
        return queries.get(Math.floorMod(31 * partition.hashCode() + bucket, queries.size()));
    }

    private int[] positionsInKey(List<String> names) {
        return names.stream().mapToInt(schema.primaryKeys()::indexOf).toArray();
    }

    private KeyParts newKeyParts() {
        return new KeyParts(
                CodeGenUtils.newProjection(schema.logicalPrimaryKeysType(), positionsInKey(schema.partitionKeys())),
                CodeGenUtils.newProjection(schema.logicalPrimaryKeysType(), positionsInKey(schema.bucketKeys())));
    }

    /** Called once or more for each bucket, each time with other files. */
    void load(DataSplit split) {
        change(split.partition(), split.bucket(), split.totalBuckets(), List.of(), split.dataFiles());
    }

    void apply(IncrementalSplit change) {
        change(change.partition(), change.bucket(), change.totalBuckets(), change.beforeFiles(), change.afterFiles());
    }

    private void change(
            BinaryRow partition,
            int bucket,
            @Nullable Integer totalBuckets,
            List<DataFileMeta> before,
            List<DataFileMeta> after) {
        LocalTableQuery query = queryOf(partition, bucket);
        synchronized (query) {
            query.refreshFiles(partition, bucket, before, after);
        }
        // Files of old versions do not tell; those tables never had another number.
        bucketsOfPartition.put(partition, totalBuckets == null ? declaredBuckets : totalBuckets);
    }

    /** @param primaryKey all its columns, in the table's order */
    @Nullable
    InternalRow find(InternalRow primaryKey) throws IOException {
        KeyParts parts = keyParts.get();
        BinaryRow partition = parts.partition().apply(primaryKey);
        Integer buckets = bucketsOfPartition.get(partition);
        if (buckets == null) {
            return null;
        }
        int bucket = bucketFunction.bucket(parts.bucketKey().apply(primaryKey), buckets);
        LocalTableQuery query = queryOf(partition, bucket);
        synchronized (query) {
            return query.lookup(partition, bucket, ProjectedRow.from(trimmedKey).replaceRow(primaryKey));
        }
    }

    @Override
    public void close() throws IOException {
        for (LocalTableQuery query : queries) {
            query.close();
        }
    }
}
