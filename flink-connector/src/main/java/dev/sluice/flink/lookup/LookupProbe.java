/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.BucketOfKey;
import dev.sluice.flink.store.BucketShare;
import dev.sluice.flink.store.TableIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.TemporaryClassLoaderContext;
import org.apache.paimon.predicate.Predicate;
import org.jspecify.annotations.Nullable;

/** What the lookup functions of a subtask probe: a view that is shared with others who ask the same. */
final class LookupProbe implements AutoCloseable {

    private static final SharedViews<SharedView> VIEWS =
            new SharedViews<>(view -> view.refresher().works());

    private final SharedViews<SharedView>.Lease lease;
    private final LookupView view;
    private final Refresher refresher;
    private final LookupMetrics metrics;

    /** The task thread only. */
    private final KeyEncoder probeKey;

    /** Those who may share a view have the same of all of this. */
    private record Sharing(
            TableIdentity table,
            List<Integer> projection,
            List<Integer> keys,
            List<Predicate> filters,
            LookupSettings settings,
            @Nullable BucketShare share,
            @Nullable ClassLoader loader) {}

    private LookupProbe(SharedViews<SharedView>.Lease lease, LookupMetrics metrics, KeyEncoder probeKey) {
        this.lease = lease;
        this.view = lease.view().view();
        this.refresher = lease.view().refresher();
        this.metrics = metrics;
        this.probeKey = probeKey;
    }

    /** How many views this process has, for all its jobs. */
    static int views() {
        return VIEWS.count();
    }

    /** Loads the view before it returns, unless another subtask has it, be it of another job. */
    static LookupProbe open(LookupSpec spec, FunctionContext context) throws Exception {
        BucketShare share = share(spec, context);
        ClassLoader loader = spec.table().outlivesJobs()
                ? LookupProbe.class.getClassLoader()
                : Thread.currentThread().getContextClassLoader();
        Sharing sharing = new Sharing(
                TableIdentity.of(spec.table()),
                spec.projection(),
                spec.keys(),
                spec.filters(),
                spec.settings(),
                share,
                loader);
        Path folder = Path.of(LocalFolder.of(context));
        SharedViews<SharedView>.Lease lease = VIEWS.acquire(sharing, () -> open(spec, folder, share, loader));
        try {
            LookupMetrics metrics = new LookupMetrics(System::nanoTime);
            metrics.register(context, lease.view());
            return new LookupProbe(lease, metrics, probeKey(spec));
        } catch (RuntimeException | Error e) {
            release(lease, e);
            throw e;
        }
    }

    private static KeyEncoder probeKey(LookupSpec spec) {
        LookupKeys keys = LookupKeys.of(spec);
        return new KeyEncoder(
                keys.types(), IntStream.range(0, keys.all().size()).boxed().toList());
    }

    /** Nobody would close what this subtask failed to open. */
    private static void release(SharedViews<SharedView>.Lease lease, Throwable failure) {
        try {
            lease.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }

    private static SharedView open(
            LookupSpec spec, Path folder, @Nullable BucketShare share, @Nullable ClassLoader loader)
            throws IOException {
        try (TemporaryClassLoaderContext unused = TemporaryClassLoaderContext.of(loader)) {
            // A copy made under that loader: storage may keep the one it finds, which must not be closed with this job.
            return new ViewChoice(InstantiationUtil.clone(spec, loader), folder).open(share);
        } catch (ClassNotFoundException e) {
            throw new IOException("Table " + spec.table().name() + " cannot be opened for a lookup join: " + e, e);
        }
    }

    private static @Nullable BucketShare share(LookupSpec spec, FunctionContext context) {
        if (!spec.shuffled()) {
            return null;
        }
        TaskInfo task = context.getTaskInfo();
        return BucketShare.of(
                BucketOfKey.declared(spec.table()), task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    }

    /** @return the key in a form the view takes, reused by the next call; null if it can match no row */
    @Nullable
    BinaryRowData key(RowData probe) {
        return probeKey.encode(probe);
    }

    /**
     * Safe for several threads.
     *
     * @return null if only {@link #load} can tell
     */
    @Nullable
    Collection<RowData> getIfCached(BinaryRowData key) throws IOException {
        refresher.check();
        Collection<RowData> rows = view.getIfCached(key);
        if (rows == null) {
            metrics.missed();
        } else {
            metrics.hit();
        }
        return rows;
    }

    /** Looks into storage. Safe for several threads. */
    Collection<RowData> load(BinaryRowData key) throws IOException {
        return metrics.timed(() -> view.get(key));
    }

    boolean answersFromMemory() {
        return view.answersFromMemory();
    }

    @Override
    public void close() throws Exception {
        lease.close();
    }
}
