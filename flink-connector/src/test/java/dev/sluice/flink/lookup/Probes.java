/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.option.LookupOptions;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;
import org.apache.paimon.predicate.Predicate;
import org.jspecify.annotations.Nullable;

/** Drives the lookup functions as a lookup join does: serialized, opened, probed, closed. */
final class Probes implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofMillis(20);

    private final LookupSpec spec;
    private final @Nullable PaimonLookupFunction sync;
    private final @Nullable PaimonAsyncLookupFunction async;

    private Probes(LookupSpec spec) throws Exception {
        this.spec = spec;
        FunctionContext context = new FunctionContext(null, Probes.class.getClassLoader(), null);
        if (spec.settings().async()) {
            sync = null;
            async = InstantiationUtil.clone(new PaimonAsyncLookupFunction(spec));
            async.open(context);
        } else {
            async = null;
            sync = InstantiationUtil.clone(new PaimonLookupFunction(spec));
            sync.open(context);
        }
    }

    /** Names instead of positions; all columns if there is no projection. */
    static Probes open(
            StoreTable table, boolean async, List<String> projection, List<Predicate> filters, String... keys)
            throws Exception {
        List<String> all = table.rowType().getFieldNames();
        List<String> columns = projection.isEmpty() ? all : projection;
        return new Probes(new LookupSpec(
                table,
                columns.stream().map(all::indexOf).toList(),
                Arrays.stream(keys).map(columns::indexOf).toList(),
                filters,
                settings(table, async)));
    }

    private static LookupSettings settings(StoreTable table, boolean async) {
        Configuration options = new Configuration();
        options.set(LookupOptions.REFRESH_INTERVAL, INTERVAL);
        options.addAll(Configuration.fromMap(table.options()));
        options.set(LookupOptions.ASYNC, async);
        options.set(LookupOptions.ASYNC_THREADS, 4);
        return LookupSettings.from(options);
    }

    static Probes open(StoreTable table, String... keys) throws Exception {
        return open(table, false, List.of(), List.of(), keys);
    }

    /** Result rows as lists of Java values: strings as String, all else as Flink holds it. */
    List<List<Object>> get(Object... key) throws Exception {
        GenericRowData keyRow = new GenericRowData(key.length);
        for (int i = 0; i < key.length; i++) {
            keyRow.setField(i, key[i] instanceof String text ? StringData.fromString(text) : key[i]);
        }
        Collection<RowData> found =
                sync != null ? sync.lookup(keyRow) : async().asyncLookup(keyRow).get();
        List<List<Object>> rows = new ArrayList<>();
        for (RowData row : found) {
            rows.add(values(row, spec.resultType()));
        }
        return rows;
    }

    private PaimonAsyncLookupFunction async() {
        if (async == null) {
            throw new IllegalStateException("neither function is open");
        }
        return async;
    }

    private static List<Object> values(RowData row, RowType type) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            Object value = RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
            values.add(value instanceof StringData text ? text.toString() : value);
        }
        return values;
    }

    @Override
    public void close() throws Exception {
        if (sync != null) {
            sync.close();
        }
        if (async != null) {
            async.close();
        }
    }
}
