/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** A metric reporter, as a user would configure one; remembers the metrics of this JVM, also of operators that are gone. */
public final class MetricsSeen implements MetricReporter {

    private static final Map<String, Metric> ALL = new ConcurrentHashMap<>();

    /** Found by Flink through {@code META-INF/services}. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            return new MetricsSeen();
        }
    }

    public static void configure(Configuration cluster) {
        cluster.setString("metrics.reporters", "seen");
        cluster.setString("metrics.reporter.seen.factory.class", Factory.class.getName());
    }

    /**
     * The sum over subtasks of a counter or gauge.
     *
     * @param operator part of its scope, such as the operator's name
     * @param metric its name, with the groups below the operator
     */
    public static long sum(String operator, String metric) {
        return ALL.entrySet().stream()
                .filter(entry ->
                        entry.getKey().contains(operator) && entry.getKey().endsWith("." + metric))
                .mapToLong(entry -> value(entry.getValue()))
                .sum();
    }

    static boolean has(String operator, String metric) {
        return ALL.keySet().stream().anyMatch(name -> name.contains(operator) && name.endsWith("." + metric));
    }

    private static long value(Metric metric) {
        if (metric instanceof Gauge<?> gauge) {
            return gauge.getValue() instanceof Number number ? number.longValue() : 0;
        }
        return metric instanceof Counter counter ? counter.getCount() : 0;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        ALL.put(group.getMetricIdentifier(name), metric);
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
