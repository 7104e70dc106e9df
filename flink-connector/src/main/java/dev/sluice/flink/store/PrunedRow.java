/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/** Gathers which fields of a ROW are read, at any depth. */
final class PrunedRow {

    private final RowType whole;

    /** By index, only those that are read in part. */
    private final Map<Integer, PrunedRow> parts = new TreeMap<>();

    private final List<Integer> wholes = new ArrayList<>();

    PrunedRow(RowType whole) {
        this.whole = whole;
    }

    /** @param path indexes of fields inwards; leads through ROWs only */
    void add(List<Integer> path) {
        int field = path.get(0);
        if (wholes.contains(field)) {
            return;
        }
        if (path.size() == 1) {
            wholes.add(field);
            parts.remove(field);
            return;
        }
        RowType inner = (RowType) whole.getTypeAt(field);
        parts.computeIfAbsent(field, index -> new PrunedRow(inner)).add(path.subList(1, path.size()));
    }

    /** @param order the fields of the outermost row that are read, as they are to come */
    RowType type(List<Integer> order) {
        return new RowType(whole.isNullable(), order.stream().map(this::field).toList());
    }

    private DataField field(int index) {
        DataField field = whole.getFields().get(index);
        PrunedRow part = parts.get(index);
        return part == null ? field : field.newType(part.type(part.order()));
    }

    private List<Integer> order() {
        List<Integer> order = new ArrayList<>(parts.keySet());
        order.addAll(wholes);
        order.sort(null);
        return order;
    }

    /** Where in the pruned row the field at this path is. */
    int[] place(List<Integer> path, List<Integer> order) {
        int[] place = new int[path.size()];
        PrunedRow row = this;
        List<Integer> fields = order;
        for (int depth = 0; depth < place.length; depth++) {
            int field = path.get(depth);
            place[depth] = row == null ? field : fields.indexOf(field);
            row = row == null ? null : row.parts.get(field);
            fields = row == null ? List.of() : row.order();
        }
        return place;
    }
}
