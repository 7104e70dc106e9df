/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.convert.BinaryRows;
import dev.sluice.flink.convert.EngineToFlinkRow;
import dev.sluice.flink.convert.RowBytes;
import dev.sluice.flink.store.ReadLayout;
import dev.sluice.flink.store.ReadSpec;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.paimon.data.InternalRow;

/** Adds what is read to pages. Used by one thread. */
abstract sealed class RowFiller {

    /** @param spec what {@code layout} was made for */
    static RowFiller of(RowType readType, ReadLayout layout, ReadSpec spec) {
        boolean plain = spec.metadata().isEmpty() && layout.paths().stream().allMatch(path -> path.length == 1);
        if (plain) {
            int[] columns = layout.paths().stream().mapToInt(path -> path[0]).toArray();
            return BinaryRows.of(readType, columns)
                    .<RowFiller>map(rows -> new Direct(rows, spec.changes()))
                    .orElseGet(() -> new Converting(new RowWriter(readType, layout, spec)));
        }
        return new Converting(new RowWriter(readType, layout, spec));
    }

    abstract void startSplit(SplitRows rows);

    abstract void add(RowPage page, InternalRow row);

    /**
     * @param most how many rows may be added
     * @return how many rows were added; 0 if they must be added one by one
     */
    abstract int addBatch(RowPage page, SplitRows rows, long most);

    /** From the engine's memory into the page. */
    private static final class Direct extends RowFiller {

        private final BinaryRows writer;
        private final boolean asInsertions;

        Direct(BinaryRows writer, boolean asInsertions) {
            this.writer = writer;
            this.asInsertions = asInsertions;
        }

        @Override
        void startSplit(SplitRows rows) {}

        @Override
        void add(RowPage page, InternalRow row) {
            byte kind = asInsertions
                    ? RowKind.INSERT.toByteValue()
                    : row.getRowKind().toByteValue();
            writer.add(row, kind, page.rows());
        }

        @Override
        int addBatch(RowPage page, SplitRows rows, long most) {
            if (!rows.wantsAll()) {
                return 0;
            }
            RowBytes to = page.rows();
            return rows.take(writer, (int) Math.min(most, to.maxRows() - to.rows()), RowPage.TARGET_BYTES, to);
        }
    }

    /** Through a row of Flink's, where there is more to do than to copy. */
    private static final class Converting extends RowFiller {

        private final EngineToFlinkRow converter = new EngineToFlinkRow();
        private final RowWriter writer;

        Converting(RowWriter writer) {
            this.writer = writer;
        }

        @Override
        void startSplit(SplitRows rows) {
            writer.startSplit(rows);
        }

        @Override
        void add(RowPage page, InternalRow row) {
            page.rows().add(writer.write(converter.convert(row)));
        }

        @Override
        int addBatch(RowPage page, SplitRows rows, long most) {
            return 0;
        }
    }
}
