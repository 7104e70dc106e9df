/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.convert;

import java.util.Set;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.flink.FlinkRowWrapper;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeChecks;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.UriReaderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shows Flink rows as the engine's rows; the returned row reads through to its argument and is valid until the next call.
 * One instance per thread.
 *
 * <p>A binary row of Flink is laid out as the engine's, so its bytes are taken for one. The one difference: a NULL of
 * DECIMAL above 18 digits or TIMESTAMP above precision 3 keeps reserved space in the engine's row and none in Flink's. Both
 * read it as NULL, but the bytes of such rows do not compare or hash as equal.
 */
public final class FlinkToEngineRow {

    /** Types whose binary form is the engine's; so is that of what is made of them. */
    private static final Set<DataTypeRoot> ONE_LAYOUT = Set.of(
            DataTypeRoot.CHAR,
            DataTypeRoot.VARCHAR,
            DataTypeRoot.BOOLEAN,
            DataTypeRoot.BINARY,
            DataTypeRoot.VARBINARY,
            DataTypeRoot.DECIMAL,
            DataTypeRoot.TINYINT,
            DataTypeRoot.SMALLINT,
            DataTypeRoot.INTEGER,
            DataTypeRoot.BIGINT,
            DataTypeRoot.FLOAT,
            DataTypeRoot.DOUBLE,
            DataTypeRoot.DATE,
            DataTypeRoot.TIME_WITHOUT_TIME_ZONE,
            DataTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE,
            DataTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE);

    /** Without a catalog: it only matters to values that point to files elsewhere. */
    private static final UriReaderFactory FILES = new UriReaderFactory(null);

    private final @Nullable BinaryRow view;
    private byte @Nullable [] viewed;
    private org.apache.paimon.memory.@Nullable MemorySegment segment;

    /** For rows of which no type is known. */
    public FlinkToEngineRow() {
        this.view = null;
    }

    /** @param type of the rows to be shown */
    public FlinkToEngineRow(RowType type) {
        this.view = oneLayout(type) ? new BinaryRow(type.getFieldCount()) : null;
    }

    private static boolean oneLayout(DataType type) {
        return switch (type.getTypeRoot()) {
            case ARRAY, MAP, MULTISET, ROW ->
                DataTypeChecks.getNestedTypes(type).stream().allMatch(FlinkToEngineRow::oneLayout);
            default -> ONE_LAYOUT.contains(type.getTypeRoot());
        };
    }

    public InternalRow convert(RowData row) {
        if (view != null && row instanceof BinaryRowData binary) {
            MemorySegment[] segments = binary.getSegments();
            if (segments.length == 1 && !segments[0].isOffHeap()) {
                view.pointTo(segmentOf(segments[0].getArray()), binary.getOffset(), binary.getSizeInBytes());
                return view;
            }
        }
        return FlinkRowWrapper.fromUriReaderFactory(row, FILES, false, false, Set.of());
    }

    /** With object reuse the next row mostly lies in the array of the one before. */
    private org.apache.paimon.memory.MemorySegment segmentOf(byte[] array) {
        org.apache.paimon.memory.MemorySegment current = segment;
        if (current == null || viewed != array) {
            current = org.apache.paimon.memory.MemorySegment.wrap(array);
            segment = current;
            viewed = array;
        }
        return current;
    }
}
