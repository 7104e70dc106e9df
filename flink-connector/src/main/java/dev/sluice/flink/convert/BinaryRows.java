/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

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
    private int[] sizes = new int[0];

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
        if (sizes.length < most) {
            sizes = new int[most];
        }
        Arrays.fill(sizes, 0, most, fixedSize);
        for (FieldCopy field : fields) {
            field.measure(field.columnOf(batch.columns), first, most, sizes);
        }
        int rows = 0;
        for (long bytes = to.usedBytes(); rows < most && (rows == 0 || bytes < enoughBytes); rows++) {
            bytes += sizes[rows];
        }
        int firstRow = to.rows();
        to.extend(sizes, rows, fixedSize);
        for (FieldCopy field : fields) {
            field.copy(field.columnOf(batch.columns), first, rows, to, firstRow);
        }
        return rows;
    }
}
