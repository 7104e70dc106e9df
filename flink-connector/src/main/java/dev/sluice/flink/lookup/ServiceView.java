/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Asks the table's query service for each key. Nothing is followed: the service does that; so answers are kept only for a
 * time to live.
 */
final class ServiceView implements LookupView {

    /** Safe for several threads. */
    interface Service {

        /**
         * @param key the primary key's columns in the join key's order
         * @return not reused; null if there is no such row
         */
        @Nullable
        InternalRow get(InternalRow key) throws IOException;

        void close();
    }

    private final Service service;
    private final @Nullable RowCache cache;
    private final ThreadLocal<RowConverter> converters;

    /** @param cache null for none; nothing is evicted from it but by age and number */
    ServiceView(Service service, LookupKeys keys, @Nullable RowCache cache) {
        this.service = service;
        this.cache = cache;
        this.converters = ThreadLocal.withInitial(() -> new RowConverter(keys));
    }

    @Override
    public void refresh(RefreshWatch watch) {}

    @Override
    public Collection<RowData> get(BinaryRowData key) throws IOException {
        RowConverter converter = converters.get();
        BinaryRowData primaryKey = converter.primaryKey(key);
        InternalRow row = service.get(converter.toEngine(primaryKey));
        Collection<RowData> rows =
                row == null ? List.of() : List.of(converter.binary(row).copy());
        if (cache != null) {
            cache.put(primaryKey.copy(), rows, cache.generation());
        }
        return converter.matching(key, rows);
    }

    @Override
    public @Nullable Collection<RowData> getIfCached(BinaryRowData key) {
        if (cache == null) {
            return null;
        }
        RowConverter converter = converters.get();
        Collection<RowData> rows = cache.get(converter.primaryKey(key));
        return rows == null ? null : converter.matching(key, rows);
    }

    @Override
    public boolean answersFromMemory() {
        return false;
    }

    @Override
    public boolean isFixed() {
        return true;
    }

    @Override
    public ViewSize size() {
        return cache == null ? new ViewSize(0, 0) : new ViewSize(cache.rows(), cache.bytes());
    }

    @Override
    public void close() {
        service.close();
    }
}
