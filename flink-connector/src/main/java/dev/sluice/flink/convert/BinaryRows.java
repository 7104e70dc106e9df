/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import dev.sluice.flink.store.merge.MergedRows;
import java.util.Arrays;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;

/**
 * Writes the engine's rows in Flink's binary layout, byte for byte as Flink's own serializer would. Columns are written
 * column by column, which keeps one vector, one type and one place in the row in view at a time. Used by one thread.
 */
public final class BinaryRows {

    private final FieldCopy[] fields;
    private final int fixedSize;
    private final RowPlace place = new RowPlace();

    /** Bytes by row, of the rows that are being added. */
    private int[] sizes = {};

    /** By run of a merge; the rows of a batch are the first's. */
    private Places[] places = {new Places()};

    private BinaryRows(FieldCopy[] fields) {
        this.fields = fields;
        this.fixedSize = FieldCopy.fixedSize(fields.length);
    }

    /**
     * @param type of the rows that are written
     * @param from for each of its fields the one of the engine's rows
     * @return empty if there are fields that are made of others, or of a type that only some versions of Flink know
     */
    public static Optional<BinaryRows> of(RowType type, int[] from) {
        FieldCopy[] fields = new FieldCopy[from.length];
        for (int i = 0; i < fields.length; i++) {
            FieldCopy field = FieldCopy.of(type.getTypeAt(i), new FieldCopy.Place(from[i], i, fields.length));
            if (field == null) {
                return Optional.empty();
            }
            fields[i] = field;
        }
        return Optional.of(new BinaryRows(fields));
    }

    /** @param kind of the row, as both Flink and the engine number it */
    public void add(InternalRow row, byte kind, RowBytes to) {
        int start = to.usedBytes();
        int cursor = start + fixedSize;
        to.reserve(cursor);
        Arrays.fill(to.array(), start, cursor, (byte) 0);
        to.array()[start] = kind;
        if (place.find(row)) {
            ColumnVector[] columns = place.columns();
            for (FieldCopy field : fields) {
                cursor = field.copy(field.columnOf(columns, place.before()), place.index(), to, start, cursor);
            }
        } else {
            for (FieldCopy field : fields) {
                cursor = field.copy(row, to, start, cursor);
            }
        }
        to.ended(cursor);
    }

    /**
     * Adds rows of a batch, which are insertions.
     *
     * @param first of the batch's rows
     * @param most how many rows may be added; as many must be left in the batch and free in {@code to}
     * @param enoughBytes no row is added once there are so many bytes
     * @return how many rows were added, at least one
     */
    public int add(VectorizedColumnBatch batch, int first, int most, int enoughBytes, RowBytes to) {
        int firstRow = startSizes(most, to);
        Places rows = places[0];
        rows.clear(most);
        for (int i = 0; i < most; i++) {
            rows.add(first + i, firstRow + i);
        }
        measure(batch.columns, 0, rows);
        int end = extend(most, enoughBytes, to);
        rows.cut(end);
        copy(batch.columns, 0, rows, to);
        return end - firstRow;
    }

    /** As {@link #add(VectorizedColumnBatch, int, int, int, RowBytes)}, of rows that a merge has chosen. */
    public int add(MergedRows merged, int first, int most, int enoughBytes, RowBytes to) {
        int firstRow = startSizes(most, to);
        startPlaces(merged.runs(), most);
        for (int i = 0; i < most; i++) {
            places[merged.run(first + i)].add(merged.index(first + i), firstRow + i);
        }
        for (int run = 0; run < merged.runs(); run++) {
            if (places[run].count() > 0) {
                measure(merged.columns(run), merged.before(), places[run]);
            }
        }
        int end = extend(most, enoughBytes, to);
        for (int run = 0; run < merged.runs(); run++) {
            places[run].cut(end);
            if (places[run].count() > 0) {
                copy(merged.columns(run), merged.before(), places[run], to);
            }
        }
        return end - firstRow;
    }

    private int startSizes(int most, RowBytes to) {
        int firstRow = to.rows();
        if (sizes.length < firstRow + most) {
            sizes = new int[to.maxRows()];
        }
        Arrays.fill(sizes, firstRow, firstRow + most, fixedSize);
        return firstRow;
    }

    private void startPlaces(int runs, int most) {
        if (places.length < runs) {
            int known = places.length;
            places = Arrays.copyOf(places, runs);
            Arrays.setAll(places, run -> run < known ? places[run] : new Places());
        }
        for (int run = 0; run < runs; run++) {
            places[run].clear(most);
        }
    }

    private void measure(ColumnVector[] columns, int before, Places rows) {
        for (FieldCopy field : fields) {
            field.measure(field.columnOf(columns, before), rows, sizes);
        }
    }

    private void copy(ColumnVector[] columns, int before, Places rows, RowBytes to) {
        for (FieldCopy field : fields) {
            field.copy(field.columnOf(columns, before), rows, to);
        }
    }

    /** Makes room for as many of the measured rows as are enough, and gives the row behind them. */
    private int extend(int most, int enoughBytes, RowBytes to) {
        int rows = 0;
        for (long bytes = to.usedBytes(); rows < most && (rows == 0 || bytes < enoughBytes); rows++) {
            bytes += sizes[to.rows() + rows];
        }
        to.extend(sizes, rows, fixedSize);
        return to.rows();
    }
}
