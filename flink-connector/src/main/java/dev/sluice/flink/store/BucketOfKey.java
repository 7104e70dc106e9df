/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.bucket.BucketFunction;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/** Which bucket of a table with a fixed number of buckets a join key belongs to. Not safe for several threads. */
public final class BucketOfKey {

    private final BucketFunction function;
    private final Projection bucketKey;
    private final int buckets;

    private BucketOfKey(StoreTable table, List<String> keyColumns) {
        TableSchema schema = table.fileStore().schema();
        List<DataType> types = new ArrayList<>();
        keyColumns.forEach(name -> types.add(table.rowType().getField(name).type()));
        int[] positions =
                schema.bucketKeys().stream().mapToInt(keyColumns::indexOf).toArray();
        this.buckets = schema.numBuckets();
        this.function = BucketFunction.create(table.fileStore().coreOptions(), schema.logicalBucketKeyType());
        this.bucketKey = CodeGenUtils.newProjection(RowType.of(types.toArray(DataType[]::new)), positions);
    }

    /** Whether a join key tells its bucket. */
    public static boolean isKnown(StoreTable table, List<String> keyColumns) {
        if (table.fileStore().bucketMode() != BucketMode.HASH_FIXED) {
            return false;
        }
        List<String> bucketKeys = table.fileStore().schema().bucketKeys();
        // Buckets are chosen by bytes, which differ for 0.0 and -0.0.
        return keyColumns.containsAll(bucketKeys)
                && bucketKeys.stream()
                        .map(name -> table.rowType().getField(name).type())
                        .noneMatch(type -> type.is(DataTypeRoot.FLOAT) || type.is(DataTypeRoot.DOUBLE));
    }

    /** @param keyColumns names of the join key's columns, in the key's order */
    public static BucketOfKey of(StoreTable table, List<String> keyColumns) {
        return new BucketOfKey(table, keyColumns);
    }

    /** How many buckets the table is declared to have. */
    public static int declared(StoreTable table) {
        return table.fileStore().schema().numBuckets();
    }

    /** @param key the join key, without NULLs in the bucket key's columns */
    public int bucket(InternalRow key) {
        return function.bucket(bucketKey.apply(key), buckets);
    }
}
