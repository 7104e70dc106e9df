/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.store.Slice;
import dev.sluice.flink.store.TableChange;
import dev.sluice.flink.store.TableChanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/** Holds all matching rows of a table in memory, by join key. Right for every kind of table and every join key. */
final class FullView implements LookupView {

    private final TableChanges changes;
    private final boolean fixed;

    /** Probed by many threads; changed by the refreshing one, a join key at a time, so that no probe sees half a change. */
    private final Map<BinaryRowData, List<RowData>> rowsByKey = new ConcurrentHashMap<>();

    // Below: the refreshing thread only. The row objects are those of rowsByKey.
    private final Map<Slice, List<BinaryRowData>> rowsBySlice = new HashMap<>();
    private final EngineToFlinkRow toFlink = new EngineToFlinkRow();
    private final RowDataSerializer serializer;
    private final KeyEncoder keyOf;

    /**
     * @param fixed whether the changes end with the first
     * @param keys positions of the join key's columns in a row of rowType
     */
    FullView(TableChanges changes, boolean fixed, RowType rowType, List<Integer> keys) {
        this.changes = changes;
        this.fixed = fixed;
        this.serializer = new RowDataSerializer(rowType);
        this.keyOf = new KeyEncoder(rowType.getChildren(), keys);
    }

    @Override
    public Collection<RowData> get(BinaryRowData key) {
        return rowsByKey.getOrDefault(key, List.of());
    }

    @Override
    public void refresh() throws IOException {
        for (TableChange change = changes.next(); change != null; change = changes.next()) {
            apply(change);
            changes.followed(change);
        }
    }

    /** Everything that can fail, reading, comes before the first step that shows. */
    private void apply(TableChange change) throws IOException {
        Map<Slice, List<BinaryRowData>> incoming = read(change);
        Set<Slice> rewritten = new HashSet<>(change.rewritten());
        if (change.whole()) {
            rewritten.addAll(rowsBySlice.keySet());
            rewritten.addAll(incoming.keySet());
        }
        KeyChanges keyChanges = new KeyChanges(keyOf);
        for (Slice slice : rewritten) {
            List<BinaryRowData> before = rowsBySlice.getOrDefault(slice, List.of());
            List<BinaryRowData> after = incoming.getOrDefault(slice, List.of());
            incoming.remove(slice);
            List<BinaryRowData> kept = keyChanges.replace(before, after);
            if (kept.isEmpty()) {
                rowsBySlice.remove(slice);
            } else {
                rowsBySlice.put(slice, kept);
            }
        }
        incoming.forEach((slice, rows) -> {
            rows.forEach(keyChanges::add);
            rowsBySlice.computeIfAbsent(slice, unused -> new ArrayList<>()).addAll(rows);
        });
        keyChanges.applyTo(rowsByKey);
    }

    /** Rows whose join key has a NULL match no probe, so they are not kept. */
    private Map<Slice, List<BinaryRowData>> read(TableChange change) throws IOException {
        Map<Slice, List<BinaryRowData>> rows = new HashMap<>();
        change.rows().read((slice, row) -> {
            BinaryRowData copy = serializer.toBinaryRow(toFlink.convert(row)).copy();
            if (keyOf.encode(copy) != null) {
                rows.computeIfAbsent(slice, unused -> new ArrayList<>()).add(copy);
            }
        });
        return rows;
    }

    @Override
    public boolean answersFromMemory() {
        return true;
    }

    @Override
    public boolean isFixed() {
        return fixed;
    }

    @Override
    public void close() {
        rowsByKey.clear();
    }
}
