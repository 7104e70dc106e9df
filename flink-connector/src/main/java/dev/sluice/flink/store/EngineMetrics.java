/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.paimon.metrics.Counter;
import org.apache.paimon.metrics.Gauge;
import org.apache.paimon.metrics.Histogram;
import org.apache.paimon.metrics.HistogramStatistics;
import org.apache.paimon.metrics.Metric;
import org.apache.paimon.metrics.MetricRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The engine's metrics as metrics of a Flink operator, under the names that dashboards of Paimon tables look for:
 * {@code paimon.table.<table>.<group>.<metric>}.
 */
final class EngineMetrics implements MetricRegistry {

    private final MetricGroup operator;

    EngineMetrics(MetricGroup operator) {
        this.operator = operator;
    }

    @Override
    public org.apache.paimon.metrics.MetricGroup createMetricGroup(String name, Map<String, String> variables) {
        MetricGroup group = operator.addGroup("paimon");
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            group = group.addGroup(variable.getKey(), variable.getValue());
        }
        return new Group(name, Map.copyOf(variables), group.addGroup(name), new ConcurrentHashMap<>());
    }

    private record Group(
            String getGroupName, Map<String, String> getAllVariables, MetricGroup flink, Map<String, Metric> getMetrics)
            implements org.apache.paimon.metrics.MetricGroup {

        @Override
        public Counter counter(String name) {
            return kept(name, new CounterOf(flink.counter(name)));
        }

        @Override
        public <T> Gauge<T> gauge(String name, Gauge<T> gauge) {
            LastGood<T> value = new LastGood<>(gauge);
            flink.gauge(name, value::get);
            return kept(name, gauge);
        }

        @Override
        public Histogram histogram(String name, int windowSize) {
            return kept(name, new HistogramOf(flink.histogram(name, new DescriptiveStatisticsHistogram(windowSize))));
        }

        private <M extends Metric> M kept(String name, M metric) {
            getMetrics.put(name, metric);
            return metric;
        }

        /** Flink closes the group with its operator. */
        @Override
        public void close() {}
    }

    /** Reporters ask on threads of their own, while the engine's gauges walk maps that the writing thread changes. */
    private static final class LastGood<T> {

        private final Gauge<T> gauge;
        private volatile @Nullable T last;

        private LastGood(Gauge<T> gauge) {
            this.gauge = gauge;
        }

        private @Nullable T get() {
            try {
                last = gauge.getValue();
            } catch (ConcurrentModificationException | NoSuchElementException e) {
                return last;
            }
            return last;
        }
    }

    private record CounterOf(org.apache.flink.metrics.Counter flink) implements Counter {

        @Override
        public void inc() {
            flink.inc();
        }

        @Override
        public void inc(long n) {
            flink.inc(n);
        }

        @Override
        public void dec() {
            flink.dec();
        }

        @Override
        public void dec(long n) {
            flink.dec(n);
        }

        @Override
        public long getCount() {
            return flink.getCount();
        }
    }

    private record HistogramOf(org.apache.flink.metrics.Histogram flink) implements Histogram {

        @Override
        public void update(long value) {
            flink.update(value);
        }

        @Override
        public long getCount() {
            return flink.getCount();
        }

        @Override
        public HistogramStatistics getStatistics() {
            return new StatisticsOf(flink.getStatistics());
        }
    }

    private static final class StatisticsOf extends HistogramStatistics {

        private final org.apache.flink.metrics.HistogramStatistics flink;

        private StatisticsOf(org.apache.flink.metrics.HistogramStatistics flink) {
            this.flink = flink;
        }

        @Override
        public double getQuantile(double quantile) {
            return flink.getQuantile(quantile);
        }

        @Override
        public long[] getValues() {
            return flink.getValues();
        }

        @Override
        public int size() {
            return flink.size();
        }

        @Override
        public double getMean() {
            return flink.getMean();
        }

        @Override
        public double getStdDev() {
            return flink.getStdDev();
        }

        @Override
        public long getMax() {
            return flink.getMax();
        }

        @Override
        public long getMin() {
            return flink.getMin();
        }
    }
}
