/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.CharacterFilter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/** An operator's metrics, by their names and those of their groups, with dots between. */
class MetricsByName implements MetricGroup {

    private final Map<String, Metric> metrics;
    private final String prefix;

    MetricsByName() {
        this(new HashMap<>(), "");
    }

    private MetricsByName(Map<String, Metric> metrics, String prefix) {
        this.metrics = metrics;
        this.prefix = prefix;
    }

    /** Of a counter, or of a gauge of a whole number. */
    long value(String name) {
        Metric metric = metrics.get(name);
        if (metric instanceof Counter counter) {
            return counter.getCount();
        }
        if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
            return number.longValue();
        }
        throw new AssertionError("no such number: " + name + " in " + metrics.keySet());
    }

    private <M extends Metric> M add(String name, M metric) {
        metrics.put(prefix + name, metric);
        return metric;
    }

    @Override
    public Counter counter(String name) {
        return add(name, new SimpleCounter());
    }

    @Override
    public <C extends Counter> C counter(String name, C counter) {
        return add(name, counter);
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
        return add(name, gauge);
    }

    @Override
    public <H extends Histogram> H histogram(String name, H histogram) {
        return add(name, histogram);
    }

    @Override
    public <M extends Meter> M meter(String name, M meter) {
        return add(name, meter);
    }

    @Override
    public MetricGroup addGroup(String name) {
        return new MetricsByName(metrics, prefix + name + ".");
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
        return addGroup(key).addGroup(value);
    }

    @Override
    public String[] getScopeComponents() {
        return new String[0];
    }

    @Override
    public Map<String, String> getAllVariables() {
        return Map.of();
    }

    @Override
    public String getMetricIdentifier(String name) {
        return prefix + name;
    }

    @Override
    public String getMetricIdentifier(String name, CharacterFilter filter) {
        return prefix + filter.filterCharacters(name);
    }
}
