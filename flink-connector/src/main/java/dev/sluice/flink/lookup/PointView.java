/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.FlinkToEngineRow;
import dev.sluice.flink.store.PointLookup;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;

/** Finds the one row of a primary key in the table's files, for tables where {@link PointLookup#isExact} holds. */
final class PointView implements LookupView {

    private final PointLookup lookup;
    private final String table;
    private final ThreadLocal<Converter> converters;

    /** @param keys positions of the join key's columns in a row of rowType */
    PointView(PointLookup lookup, String table, RowType rowType, List<Integer> keys) {
        this.lookup = lookup;
        this.table = table;
        this.converters = ThreadLocal.withInitial(() -> new Converter(rowType, keys));
    }

    @Override
    public void refresh() throws IOException {
        lookup.refresh();
    }

    @Override
    public Collection<RowData> get(BinaryRowData key) throws IOException {
        Converter converter = converters.get();
        InternalRow engineKey = converter.toEngine.convert(key);
        BinaryRowData row = converter.convert(find(engineKey));
        // The join may also compare columns outside the primary key, which the search in the files does not.
        return row != null && key.equals(converter.keyOf.encode(row)) ? List.of(row) : List.of();
    }

    private @Nullable InternalRow find(InternalRow key) throws IOException {
        try {
            return lookup.get(key);
        } catch (IOException | RuntimeException e) {
            // The file may have been deleted since the last refresh, because a newer snapshot does not need it.
            lookup.refresh();
            try {
                return lookup.get(key);
            } catch (IOException | RuntimeException again) {
                again.addSuppressed(e);
                throw new IOException(
                        "Looking up a key in table " + table + " failed twice, the last time with: "
                                + Causes.rootMessage(again),
                        again);
            }
        }
    }

    @Override
    public boolean answersFromMemory() {
        return false;
    }

    @Override
    public boolean isFixed() {
        return false;
    }

    @Override
    public void close() throws IOException {
        lookup.close();
    }

    /** What one thread needs to turn a found row into one that may be kept. */
    private static final class Converter {
        private final FlinkToEngineRow toEngine = new FlinkToEngineRow();
        private final EngineToFlinkRow toFlink = new EngineToFlinkRow();
        private final RowDataSerializer serializer;
        private final KeyEncoder keyOf;

        private Converter(RowType rowType, List<Integer> keys) {
            serializer = new RowDataSerializer(rowType);
            keyOf = new KeyEncoder(rowType.getChildren(), keys);
        }

        private @Nullable BinaryRowData convert(@Nullable InternalRow row) {
            return row == null
                    ? null
                    : serializer.toBinaryRow(toFlink.convert(row)).copy();
        }
    }
}
