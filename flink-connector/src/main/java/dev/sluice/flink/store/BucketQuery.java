/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

/** The engine's search in the files of a bucket, and which bucket a key is in. One thread feeds it, many may search. */
final class BucketQuery implements AutoCloseable {

    private final LocalTableQuery query;
    private final TableSchema schema;
    private final BucketFunction bucketFunction;
    private final int declaredBuckets;
    private final int[] trimmedKey;
    private final Map<BinaryRow, Integer> bucketsOfPartition = new ConcurrentHashMap<>();

    /** The generated projections reuse the row they return. */
    private final ThreadLocal<KeyParts> keyParts = ThreadLocal.withInitial(this::newKeyParts);

    private record KeyParts(Projection partition, Projection bucketKey) {}

    /** @param columns positions in the table's row type of the columns of a found row */
    BucketQuery(FileStoreTable store, int[] columns, IOManager localFiles) {
        this.query = store.newLocalTableQuery().withValueProjection(columns).withIOManager(localFiles);
        this.schema = store.schema();
        this.bucketFunction = BucketFunction.create(store.coreOptions(), schema.logicalBucketKeyType());
        this.declaredBuckets = schema.numBuckets();
        this.trimmedKey = positionsInKey(schema.trimmedPrimaryKeys());
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
        query.refreshFiles(partition, bucket, before, after);
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
        return query.lookup(partition, bucket, ProjectedRow.from(trimmedKey).replaceRow(primaryKey));
    }

    @Override
    public void close() throws IOException {
        query.close();
    }
}
