/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import io.trino.tpch.TpchEntity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceReaderBase;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

/** A bounded source of one TPC-H table, one split for each subtask; resumes in the middle of a split. */
final class TpchSource implements Source<RowData, TpchSplit, Collection<TpchSplit>> {

    private static final long serialVersionUID = 1L;

    private final TpchTables table;
    private final double scale;
    private final int[] columns;
    /** Of all subtasks together; 0: no limit. */
    private final long rowsPerSecond;

    /** @param columns indexes into the table's columns, in the order in which rows hold them */
    TpchSource(TpchTables table, double scale, int[] columns, long rowsPerSecond) {
        this.table = table;
        this.scale = scale;
        this.columns = columns.clone();
        this.rowsPerSecond = rowsPerSecond;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SplitEnumerator<TpchSplit, Collection<TpchSplit>> createEnumerator(
            SplitEnumeratorContext<TpchSplit> context) {
        int parts = table.parts(scale, context.currentParallelism());
        List<TpchSplit> splits = new ArrayList<>(parts);
        for (int part = 1; part <= parts; part++) {
            splits.add(new TpchSplit(table, scale, part, parts, 0));
        }
        return new IteratorSourceEnumerator<>(context, splits);
    }

    @Override
    public SplitEnumerator<TpchSplit, Collection<TpchSplit>> restoreEnumerator(
            SplitEnumeratorContext<TpchSplit> context, Collection<TpchSplit> unassigned) {
        return new IteratorSourceEnumerator<>(context, unassigned);
    }

    @Override
    public SourceReader<RowData, TpchSplit> createReader(SourceReaderContext context) {
        Reader reader = new Reader(context, table, columns);
        if (rowsPerSecond == 0) {
            return reader;
        }
        RateLimiterStrategy<TpchSplit> strategy = perSecond(rowsPerSecond);
        return new RateLimitedSourceReader<>(reader, strategy.createRateLimiter(context.currentParallelism()));
    }

    /** Flink declares the strategy raw; it never touches a split. */
    @SuppressWarnings("unchecked")
    private static RateLimiterStrategy<TpchSplit> perSecond(long rowsPerSecond) {
        return (RateLimiterStrategy<TpchSplit>) RateLimiterStrategy.perSecond((double) rowsPerSecond);
    }

    @Override
    public SimpleVersionedSerializer<TpchSplit> getSplitSerializer() {
        return new TpchSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<TpchSplit>> getEnumeratorCheckpointSerializer() {
        return TpchSplitSerializer.ofAll();
    }

    private static final class Reader extends IteratorSourceReaderBase<TpchEntity, RowData, TpchRows, TpchSplit> {

        private final List<Function<TpchEntity, Object>> values = new ArrayList<>();

        Reader(SourceReaderContext context, TpchTables table, int[] columns) {
            super(context);
            List<TpchTables.Column> all = table.columns();
            for (int column : columns) {
                values.add(all.get(column).value());
            }
        }

        @Override
        protected RowData convert(TpchEntity entity) {
            GenericRowData row = new GenericRowData(values.size());
            for (int i = 0; i < values.size(); i++) {
                row.setField(i, values.get(i).apply(entity));
            }
            return row;
        }
    }
}
