/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * What a writer subtask reports beside the engine's metrics, under FLIP-33's names for sinks where it has one. Updated by
 * the task's thread.
 */
final class WriterMetrics {

    private static final int FLUSHES_REMEMBERED = 100;

    final Counter rows;
    private final Counter bytes;
    private final Histogram flushMillis;
    private volatile long lastFlushMillis;

    WriterMetrics(MetricGroup operator) {
        rows = operator.counter("numRecordsSend");
        bytes = operator.counter("numBytesSend");
        flushMillis = operator.histogram("flushTimeMs", new DescriptiveStatisticsHistogram(FLUSHES_REMEMBERED));
        operator.gauge("lastFlushTimeMs", () -> lastFlushMillis);
    }

    /**
     * @param nanos how long the task waited for the flush
     * @param written the size of the files that came of it
     */
    void flushed(long nanos, long written) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        lastFlushMillis = millis;
        flushMillis.update(millis);
        bytes.inc(written);
    }
}
