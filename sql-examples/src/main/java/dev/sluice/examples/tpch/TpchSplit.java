/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import io.trino.tpch.TpchEntity;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceSplit;

/**
 * One part of a TPC-H table. Rows are generated from the part's seeds, so a position in it is a row count.
 *
 * @param part from 1 to {@code parts}
 * @param position rows of the part that were already emitted
 */
record TpchSplit(TpchTables table, double scale, int part, int parts, long position)
        implements IteratorSourceSplit<TpchEntity, TpchRows> {

    @Override
    public String splitId() {
        return table.tpchName() + "-" + part + "-of-" + parts;
    }

    @Override
    public TpchRows getIterator() {
        return new TpchRows(table.rows(scale, part, parts), position);
    }

    @Override
    public TpchSplit getUpdatedSplitForIterator(TpchRows rows) {
        return new TpchSplit(table, scale, part, parts, rows.position());
    }
}
