/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.PointLookup;
import dev.sluice.flink.store.TableFollower;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the lookup functions of a subtask probe: a view, kept fresh. */
final class LookupProbe implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LookupProbe.class);

    private final LookupView view;
    private final Refresher refresher;

    /** The task thread only. */
    private final KeyEncoder probeKey;

    private LookupProbe(LookupView view, Refresher refresher, KeyEncoder probeKey) {
        this.view = view;
        this.refresher = refresher;
        this.probeKey = probeKey;
    }

    /** Loads the view before it returns. */
    static LookupProbe open(LookupSpec spec, FunctionContext context) throws IOException {
        RowType resultType = spec.resultType();
        LookupView view = newView(spec, resultType, context);
        Refresher refresher =
                new Refresher(view, spec.table().name(), spec.settings().refreshInterval());
        try {
            refresher.start();
        } catch (IOException | RuntimeException | Error e) {
            view.close();
            throw e;
        }
        List<LogicalType> keyTypes =
                spec.keys().stream().map(resultType::getTypeAt).toList();
        List<Integer> inOrder = IntStream.range(0, keyTypes.size()).boxed().toList();
        return new LookupProbe(view, refresher, new KeyEncoder(keyTypes, inOrder));
    }

    private static LookupView newView(LookupSpec spec, RowType resultType, FunctionContext context) {
        String table = spec.table().name();
        int[] projection = spec.projectedColumns();
        List<Integer> keyColumns =
                spec.keys().stream().map(spec.projection()::get).toList();
        if (PointLookup.isExact(spec.table(), keyColumns, projection)) {
            LOG.info("Lookup join with {}: each probe finds its primary key in the table's files", table);
            int concurrency = spec.settings().async() ? spec.settings().asyncThreads() : 1;
            String folder = LocalFolder.of(context);
            PointLookup lookup =
                    PointLookup.open(spec.table(), projection, spec.filters(), keyColumns, folder, concurrency);
            return new PointView(lookup, table, resultType, spec.keys());
        }
        TableFollower follower = TableFollower.open(spec.table(), projection, spec.filters());
        LOG.info("Lookup join with {}: all of its matching rows are held in memory", table);
        return new FullView(follower, follower.isFixed(), resultType, spec.keys());
    }

    /** @return the key in a form the view takes, reused by the next call; null if it can match no row */
    @Nullable
    BinaryRowData key(RowData probe) {
        return probeKey.encode(probe);
    }

    /** Safe for several threads. */
    Collection<RowData> get(BinaryRowData key) throws IOException {
        refresher.check();
        return view.get(key);
    }

    boolean answersFromMemory() {
        return view.answersFromMemory();
    }

    @Override
    public void close() throws IOException {
        try (view) {
            refresher.close();
        }
    }
}
