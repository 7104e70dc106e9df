/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.source.split.PaimonSplit;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.fetcher.SingleThreadFetcherManager;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;

/**
 * Keeps the fetcher for as long as there may be splits. Flink's own manager gives a fetcher up whenever it has nothing to
 * read, which between small splits is often, and makes another for the next split; and where the other has filled the
 * queue meanwhile, the one that was given up never ends, and closing the reader waits half a minute for it
 * (FLINK-40660). Used by the task's thread.
 */
final class OneFetcher extends SingleThreadFetcherManager<RowPage, PaimonSplit> {

    private int unfinished;
    private boolean noMoreSplits;

    OneFetcher(Supplier<SplitReader<RowPage, PaimonSplit>> readers, Configuration configuration) {
        super(readers, configuration);
    }

    @Override
    public void addSplits(List<PaimonSplit> splits) {
        unfinished += splits.size();
        super.addSplits(splits);
    }

    /** Called when the rows of so many splits have been emitted. */
    void splitsFinished(int splits) {
        unfinished -= splits;
    }

    void noMoreSplits() {
        noMoreSplits = true;
    }

    /** What an ending fetcher hands over last finds room: nobody else adds to an empty queue when all splits are read. */
    @Override
    public boolean maybeShutdownFinishedFetchers() {
        return noMoreSplits && unfinished == 0 && getQueue().isEmpty() && super.maybeShutdownFinishedFetchers();
    }
}
