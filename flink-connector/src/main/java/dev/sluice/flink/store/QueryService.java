/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.paimon.bucket.BucketFunction;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.query.QueryLocationImpl;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.service.ServiceManager;
import org.apache.paimon.service.client.KvQueryClient;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/**
 * Asks the table's query service, a job of its own that keeps the table's rows at hand, for rows by primary key. The
 * service follows the table by itself and tells no snapshot. Safe for several threads.
 */
public final class QueryService implements AutoCloseable {

    private final StoreTable table;
    private final RowSelection selection;
    private final KvQueryClient client;
    private final ThreadLocal<Parts> parts;
    private final BucketFunction bucketFunction;
    private final int buckets;
    private final int[] columns;
    private final Duration patience;

    private record Parts(ProjectedRow primaryKey, Projection partition, Projection bucketKey, Projection trimmedKey) {}

    private QueryService(StoreTable table, RowSelection selection, List<Integer> keyColumns, Duration patience) {
        FileStoreTable store = table.fileStore();
        TableSchema schema = store.schema();
        this.table = table;
        this.selection = selection;
        this.patience = patience;
        this.columns = selection.columns();
        this.bucketFunction = BucketFunction.create(store.coreOptions(), schema.logicalBucketKeyType());
        this.buckets = schema.numBuckets();
        List<String> names = table.rowType().getFieldNames();
        List<String> keyNames = keyColumns.stream().map(names::get).toList();
        int[] keyPositions =
                table.primaryKeys().stream().mapToInt(keyNames::indexOf).toArray();
        this.parts = ThreadLocal.withInitial(() -> new Parts(
                ProjectedRow.from(keyPositions),
                projection(schema, schema.partitionKeys()),
                projection(schema, schema.bucketKeys()),
                projection(schema, schema.trimmedPrimaryKeys())));
        this.client = new KvQueryClient(new QueryLocationImpl(store.store().newServiceManager()), 1);
    }

    private static Projection projection(TableSchema schema, List<String> names) {
        return CodeGenUtils.newProjection(
                schema.logicalPrimaryKeysType(),
                names.stream().mapToInt(schema.primaryKeys()::indexOf).toArray());
    }

    /** Whether a service has registered itself for the table; one small read. */
    public static boolean isRegistered(StoreTable table) {
        return table.fileStore()
                .store()
                .newServiceManager()
                .service(ServiceManager.PRIMARY_KEY_LOOKUP)
                .isPresent();
    }

    /**
     * @param projection positions in the table's row type of the columns of a found row, in its order
     * @param filters over positions in the table's row type; a row for which one does not hold is not found
     * @param keyColumns positions in the table's row type of the key's columns, in the order that lookups give them
     * @param patience how long an answer is waited for; the client waits for ever for a server that went away
     */
    public static QueryService connect(
            StoreTable table, int[] projection, List<Predicate> filters, List<Integer> keyColumns, Duration patience) {
        return new QueryService(table, new RowSelection(table, projection, filters), keyColumns, patience);
    }

    /**
     * @param key the key's columns in the order given at opening, none NULL
     * @return the row, not reused; null if there is none
     */
    public @Nullable InternalRow get(InternalRow key) throws IOException {
        Parts own = parts.get();
        InternalRow primaryKey = own.primaryKey().replaceRow(key);
        int bucket = bucketFunction.bucket(own.bucketKey().apply(primaryKey), buckets);
        // Handed to the client's threads, while the projections reuse their rows.
        BinaryRow partition = own.partition().apply(primaryKey).copy();
        BinaryRow[] keys = {own.trimmedKey().apply(primaryKey).copy()};
        InternalRow row;
        CompletableFuture<BinaryRow[]> answer = client.getValues(partition, bucket, keys);
        try {
            row = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS)[0];
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while asking the query service of table " + table.name() + ".", e);
        } catch (TimeoutException e) {
            // Or the client would go on trying to connect.
            answer.cancel(true);
            throw gaveNone("none within " + patience.toSeconds() + " seconds", e);
        } catch (ExecutionException e) {
            throw gaveNone(String.valueOf(e.getCause()), e);
        }
        if (row == null) {
            return null;
        }
        InternalRow read = ProjectedRow.from(columns).replaceRow(row);
        if (!selection.wants(read)) {
            return null;
        }
        ProjectedRow narrowing = selection.newNarrowing();
        return narrowing == null ? read : narrowing.replaceRow(read);
    }

    private IOException gaveNone(String why, Exception cause) {
        return new IOException(
                "The query service of table " + table.name() + " gave no answer: " + why + ". If it no longer runs,"
                        + " start it again with CALL sys.query_service, or delete the table's file"
                        + " service/service-primary-key-lookup and restart the job: it then reads the table itself.",
                cause);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
