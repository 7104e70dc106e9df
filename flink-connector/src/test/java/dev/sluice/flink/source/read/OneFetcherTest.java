/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.source.split.PaimonSplit;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.source.DataSplit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One fetcher reads all splits, however long it has to wait for the next, and ends at once when all are read. */
final class OneFetcherTest {

    private static final long CLOSE_MILLIS = 60_000;

    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final OneFetcher fetcher = new OneFetcher(
            () -> {
                readers.incrementAndGet();
                return new EmptySplits(closed);
            },
            new Configuration().set(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY, 2));

    @AfterEach
    void close() throws Exception {
        fetcher.close(CLOSE_MILLIS);
    }

    private static PaimonSplit split(String id) {
        return new PaimonSplit(
                id,
                DataSplit.builder()
                        .withSnapshot(1)
                        .withPartition(BinaryRow.EMPTY_ROW)
                        .withBucket(0)
                        .withBucketPath("bucket-0")
                        .withDataFiles(List.of())
                        .build(),
                0);
    }

    /** Takes the page of a split as the reader does. */
    private void take() {
        await().until(() -> !fetcher.getQueue().isEmpty());
        RecordsWithSplitIds<RowPage> page = fetcher.getQueue().poll();
        page.nextSplit();
        assertThat(page.nextRecordFromSplit()).isNull();
        fetcher.splitsFinished(page.finishedSplits().size());
        page.recycle();
    }

    @Test
    void waitsForTheNextSplit() {
        for (int i = 0; i < 20; i++) {
            fetcher.addSplits(List.of(split("s" + i)));
            take();
            assertThat(fetcher.maybeShutdownFinishedFetchers()).isFalse();
        }
        assertThat(readers).hasValue(1);
        assertThat(closed).hasValue(0);

        fetcher.noMoreSplits();
        await().until(fetcher::maybeShutdownFinishedFetchers);
        await().until(() -> {
            fetcher.getQueue().getAvailabilityFuture().getNow(null);
            RecordsWithSplitIds<RowPage> last = fetcher.getQueue().poll();
            if (last != null) {
                last.recycle();
            }
            return closed.get() == 1;
        });
    }

    @Test
    void doesNotEndWhileSplitsAreInTheQueue() {
        fetcher.addSplits(List.of(split("a"), split("b")));
        fetcher.noMoreSplits();
        await().until(() -> fetcher.getQueue().size() == 2);
        assertThat(fetcher.maybeShutdownFinishedFetchers()).isFalse();
        take();
        assertThat(fetcher.maybeShutdownFinishedFetchers()).isFalse();
        take();
        await().until(fetcher::maybeShutdownFinishedFetchers);
    }

    @Test
    void aReaderWithoutSplitsEndsAtOnce() {
        assertThat(fetcher.maybeShutdownFinishedFetchers()).isFalse();
        fetcher.noMoreSplits();
        assertThat(fetcher.maybeShutdownFinishedFetchers()).isTrue();
        assertThat(readers).hasValue(0);
    }

    /** Splits without rows. */
    private static final class EmptySplits implements SplitReader<RowPage, PaimonSplit> {

        private final Queue<PaimonSplit> waiting = new ArrayDeque<>();
        private final PagePool pages = new PagePool(1);
        private final AtomicInteger closed;

        EmptySplits(AtomicInteger closed) {
            this.closed = closed;
        }

        @Override
        public RecordsWithSplitIds<RowPage> fetch() {
            PaimonSplit split = waiting.poll();
            RowPage page = split == null ? null : takePage();
            if (split == null || page == null) {
                return NothingFetched.INSTANCE;
            }
            page.start(split.splitId());
            return page.seal(true);
        }

        private RowPage takePage() {
            try {
                RowPage page = pages.take();
                return page == null ? takePage() : page;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void handleSplitsChanges(SplitsChange<PaimonSplit> change) {
            waiting.addAll(change.splits());
        }

        @Override
        public void wakeUp() {
            pages.wakeUp();
        }

        @Override
        public void pauseOrResumeSplits(Collection<PaimonSplit> toPause, Collection<PaimonSplit> toResume) {}

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
