/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.NothingToRead;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.ReaderStarted;
import dev.sluice.flink.source.split.SplitsFinished;
import dev.sluice.flink.store.ReadException;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.SplitOpener;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.ExceptionUtils;

/**
 * Reads the splits that the enumerator hands out. Tells it first what it still holds from restored state, then asks for
 * as many splits as it may hold and for one more each time one is finished.
 */
public final class PaimonReader
        extends SingleThreadMultiplexSourceReaderBase<RowPage, RowData, PaimonSplit, SplitProgress> {

    private final int splitsAhead;
    private final CommitLag lag;
    private final List<InFlight> restored = new ArrayList<>();
    private boolean started;

    private boolean everHeld;

    /**
     * There may be fewer buckets than readers, and one without any must not hold back the watermarks of the others. Before
     * it is known that there are none for it, it has to: its rows would be late.
     */
    private boolean idle;

    /**
     * @param rowsPerSplit how many rows of each split are enough
     * @param splitsAhead how many splits the reader holds, counting the one it reads; more than 1 hides the way to the
     *     enumerator, exactly 1 keeps a bucket's splits in order when readers are rescaled
     */
    public PaimonReader(
            StoreTable table,
            ReadSpec spec,
            RowType readType,
            long rowsPerSplit,
            int splitsAhead,
            SourceReaderContext context) {
        this(table, spec, readType, rowsPerSplit, splitsAhead, context, new CommitLag(System::currentTimeMillis));
    }

    private PaimonReader(
            StoreTable table,
            ReadSpec spec,
            RowType readType,
            long rowsPerSplit,
            int splitsAhead,
            SourceReaderContext context,
            CommitLag lag) {
        super(
                new OneFetcher(
                        () -> new PaimonSplitReader(
                                new SplitOpener(
                                        table,
                                        spec,
                                        ConfigurationUtils.parseTempDirectories(context.getConfiguration())),
                                spec,
                                readType,
                                rowsPerSplit,
                                lag),
                        context.getConfiguration()),
                new TurnEmitter(lag, context.metricGroup()),
                context.getConfiguration(),
                context);
        this.splitsAhead = splitsAhead;
        this.lag = lag;
        context.metricGroup().gauge(CommitLag.NAME, lag);
    }

    /** Flink adds the splits of restored state before it starts the reader. */
    @Override
    public void addSplits(List<PaimonSplit> splits) {
        if (!started) {
            splits.forEach(split -> restored.add(InFlight.of(split)));
        }
        everHeld |= !splits.isEmpty();
        idle = false;
        super.addSplits(splits);
    }

    @Override
    public void start() {
        started = true;
        context.sendSourceEventToCoordinator(new ReaderStarted(restored));
        for (int held = restored.size(); held < splitsAhead; held++) {
            context.sendSplitRequest();
        }
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (!(event instanceof NothingToRead)) {
            throw new IllegalStateException(
                    "A reader does not know what to do with " + event + ". This is a bug, please report it.");
        }
        idle = !everHeld;
        // The next poll says so, and may have nothing else to do.
        fetcher().getQueue().notifyAvailable();
    }

    /** Flink wraps what fails in the fetcher's thread twice; what is thrown here is the message meant for people. */
    @Override
    public InputStatus pollNext(ReaderOutput<RowData> output) throws Exception {
        if (idle) {
            output.markIdle();
        }
        try {
            return super.pollNext(output);
        } catch (RuntimeException e) {
            throw ExceptionUtils.findThrowable(e, ReadException.class)
                    .<RuntimeException>map(failure -> failure)
                    .orElse(e);
        }
    }

    @Override
    public void notifyNoMoreSplits() {
        fetcher().noMoreSplits();
        super.notifyNoMoreSplits();
    }

    /** What the constructor has given to the base class. */
    private OneFetcher fetcher() {
        return (OneFetcher) splitFetcherManager;
    }

    @Override
    protected void onSplitFinished(Map<String, SplitProgress> finished) {
        fetcher().splitsFinished(finished.size());
        finished.keySet().forEach(lag::finished);
        context.sendSourceEventToCoordinator(new SplitsFinished(List.copyOf(finished.keySet())));
        int held = getNumberOfCurrentlyAssignedSplits();
        for (int i = 0; i < finished.size() && held + i < splitsAhead; i++) {
            context.sendSplitRequest();
        }
    }

    @Override
    protected SplitProgress initializedState(PaimonSplit split) {
        return new SplitProgress(split);
    }

    @Override
    protected PaimonSplit toSplitType(String splitId, SplitProgress progress) {
        return progress.toSplit();
    }
}
