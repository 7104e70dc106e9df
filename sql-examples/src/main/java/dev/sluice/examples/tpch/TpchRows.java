/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import io.trino.tpch.TpchEntity;
import java.util.Iterator;

/** The generated rows of a part, counted. */
final class TpchRows implements Iterator<TpchEntity> {

    private final Iterator<? extends TpchEntity> rows;
    private long position;

    /** @param position rows to pass over first; generating is the only way past them */
    TpchRows(Iterator<? extends TpchEntity> rows, long position) {
        this.rows = rows;
        while (this.position < position && rows.hasNext()) {
            next();
        }
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    @Override
    public TpchEntity next() {
        TpchEntity row = rows.next();
        position++;
        return row;
    }

    long position() {
        return position;
    }
}
