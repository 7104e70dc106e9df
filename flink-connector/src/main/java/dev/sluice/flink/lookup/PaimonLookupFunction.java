/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.jspecify.annotations.Nullable;

/** Answers the probes of a lookup join one after the other. */
public final class PaimonLookupFunction extends LookupFunction {

    private static final long serialVersionUID = 1L;

    private final LookupSpec spec;
    private transient @Nullable LookupProbe probe;

    public PaimonLookupFunction(LookupSpec spec) {
        this.spec = spec;
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        probe = LookupProbe.open(spec, context);
    }

    @Override
    public Collection<RowData> lookup(RowData keyRow) throws IOException {
        LookupProbe opened = probe;
        if (opened == null) {
            throw new IllegalStateException("Lookup in table " + spec.table().name() + " before open or after close.");
        }
        BinaryRowData key = opened.key(keyRow);
        if (key == null) {
            return List.of();
        }
        Collection<RowData> cached = opened.getIfCached(key);
        return cached == null ? opened.load(key) : cached;
    }

    @Override
    public void close() throws Exception {
        if (probe != null) {
            probe.close();
            probe = null;
        }
    }
}
