/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.util.Comparator;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.ByteColumnVector;
import org.apache.paimon.data.columnar.BytesColumnVector;
import org.apache.paimon.data.columnar.BytesColumnVector.Bytes;
import org.apache.paimon.data.columnar.ColumnVector;
import org.apache.paimon.data.columnar.IntColumnVector;
import org.apache.paimon.data.columnar.LongColumnVector;
import org.apache.paimon.data.columnar.ShortColumnVector;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;

/**
 * The order of keys, seen through a number for each: of two keys the one with the lesser number comes first; where the
 * numbers are equal the keys are too, or must be compared themselves. Immutable.
 */
final class KeyOrder {

    private enum First {
        LONG,
        INT,
        SHORT,
        BYTE,
        TEXT,
        OTHER
    }

    private final First first;
    private final boolean exact;
    private final Comparator<InternalRow> comparator;

    /** @param comparator of rows that begin with the key */
    KeyOrder(RowType key, Comparator<InternalRow> comparator) {
        this.first = first(key.getTypeAt(0));
        this.exact = key.getFieldCount() == 1 && first != First.TEXT && first != First.OTHER;
        this.comparator = comparator;
    }

    private static First first(DataType type) {
        return switch (type.getTypeRoot()) {
            case BIGINT -> First.LONG;
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> First.INT;
            case SMALLINT -> First.SHORT;
            case TINYINT -> First.BYTE;
            case CHAR, VARCHAR -> First.TEXT;
            default -> First.OTHER;
        };
    }

    /** Whether keys with equal numbers are equal. */
    boolean exact() {
        return exact;
    }

    /** Compares rows that begin with the key. */
    int compare(InternalRow one, InternalRow other) {
        return comparator.compare(one, other);
    }

    /** @param column the first of the key, which has no NULL */
    void number(ColumnVector column, int rows, long[] numbers) {
        switch (first) {
            case LONG -> {
                LongColumnVector values = (LongColumnVector) column;
                for (int i = 0; i < rows; i++) {
                    numbers[i] = values.getLong(i);
                }
            }
            case INT -> {
                IntColumnVector values = (IntColumnVector) column;
                for (int i = 0; i < rows; i++) {
                    numbers[i] = values.getInt(i);
                }
            }
            case SHORT -> {
                ShortColumnVector values = (ShortColumnVector) column;
                for (int i = 0; i < rows; i++) {
                    numbers[i] = values.getShort(i);
                }
            }
            case BYTE -> {
                ByteColumnVector values = (ByteColumnVector) column;
                for (int i = 0; i < rows; i++) {
                    numbers[i] = values.getByte(i);
                }
            }
            case TEXT -> {
                BytesColumnVector values = (BytesColumnVector) column;
                for (int i = 0; i < rows; i++) {
                    numbers[i] = beginning(values.getBytes(i));
                }
            }
            case OTHER -> {
                for (int i = 0; i < rows; i++) {
                    numbers[i] = 0;
                }
            }
        }
    }

    /** Texts are ordered by their bytes, taken as numbers without sign. */
    private static long beginning(Bytes text) {
        long number = 0;
        int bytes = Math.min(text.len, Long.BYTES);
        for (int i = 0; i < bytes; i++) {
            number |= (text.data[text.offset + i] & 0xFFL) << (56 - 8 * i);
        }
        return number ^ Long.MIN_VALUE;
    }
}
