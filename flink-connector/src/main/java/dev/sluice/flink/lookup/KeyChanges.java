/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/** Collects which rows each join key loses and gains between two snapshots. Used by one thread, once. */
final class KeyChanges {

    private final KeyEncoder keyOf;
    private final Map<BinaryRowData, Change> changes = new HashMap<>();

    KeyChanges(KeyEncoder keyOf) {
        this.keyOf = keyOf;
    }

    void add(BinaryRowData row) {
        of(row).added.add(row);
    }

    /**
     * Notes what makes one bag of rows another; rows in both do not count as a change.
     *
     * @return the rows of the second bag, with the first's objects where both have the row
     */
    List<BinaryRowData> replace(List<BinaryRowData> before, List<BinaryRowData> after) {
        Map<BinaryRowData, Count> old = new HashMap<>(before.size() * 2);
        for (BinaryRowData row : before) {
            old.computeIfAbsent(row, Count::new).copies++;
        }
        List<BinaryRowData> result = new ArrayList<>(after.size());
        for (BinaryRowData row : after) {
            Count same = old.get(row);
            if (same != null && same.copies > 0) {
                same.copies--;
                result.add(same.row);
            } else {
                add(row);
                result.add(row);
            }
        }
        for (Count gone : old.values()) {
            for (int i = 0; i < gone.copies; i++) {
                of(gone.row).removed.add(gone.row);
            }
        }
        return result;
    }

    /** Changes each join key at once. */
    void applyTo(Map<BinaryRowData, List<RowData>> rowsByKey) {
        changes.forEach((key, change) -> rowsByKey.compute(key, (unused, rows) -> change.apply(rows)));
    }

    private Change of(BinaryRowData row) {
        BinaryRowData key = keyOf.encode(row);
        if (key == null) {
            throw new IllegalStateException("A row without a join key reached the view.");
        }
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            changes.put(key.copy(), change);
        }
        return change;
    }

    private static final class Count {
        private final BinaryRowData row;
        private int copies;

        private Count(BinaryRowData row) {
            this.row = row;
        }
    }

    private static final class Change {
        private final List<RowData> removed = new ArrayList<>(1);
        private final List<RowData> added = new ArrayList<>(1);

        private @Nullable List<RowData> apply(@Nullable List<RowData> rows) {
            List<RowData> result = new ArrayList<>(added.size() + (rows == null ? 0 : rows.size()));
            Map<RowData, Integer> toRemove = new HashMap<>();
            removed.forEach(row -> toRemove.merge(row, 1, Integer::sum));
            if (rows != null) {
                for (RowData row : rows) {
                    Integer copies = toRemove.get(row);
                    if (copies == null) {
                        result.add(row);
                    } else if (copies == 1) {
                        toRemove.remove(row);
                    } else {
                        toRemove.put(row, copies - 1);
                    }
                }
            }
            result.addAll(added);
            return result.isEmpty() ? null : List.copyOf(result);
        }
    }
}
