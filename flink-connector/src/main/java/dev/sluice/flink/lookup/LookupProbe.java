/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.TableFollower;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/** What the lookup functions of a subtask probe: a view, kept fresh. */
final class LookupProbe implements AutoCloseable {

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
    static LookupProbe open(LookupSpec spec) throws IOException {
        RowType resultType = spec.resultType();
        TableFollower follower = TableFollower.open(spec.table(), spec.projectedColumns(), spec.filters());
        LookupView view = new FullView(follower, follower.isFixed(), resultType, spec.keys());
        Refresher refresher =
                new Refresher(view, spec.table().name(), spec.settings().refreshInterval());
        refresher.start();
        List<LogicalType> keyTypes =
                spec.keys().stream().map(resultType::getTypeAt).toList();
        List<Integer> inOrder = IntStream.range(0, keyTypes.size()).boxed().toList();
        return new LookupProbe(view, refresher, new KeyEncoder(keyTypes, inOrder));
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
