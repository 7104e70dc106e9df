/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Rows that a running job has taken in, from the counters of its tasks, which live in this process. Flink's
 * REST answers are seconds old.
 */
public final class RowCounts implements MetricReporter {

    /** By job. Counters stay readable when their task is over, so a job's count never goes back. */
    private static final Map<String, Job> JOBS = new ConcurrentHashMap<>();

    /** Lets Flink make the reporter. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(java.util.Properties properties) {
            return new RowCounts();
        }
    }

    private record Job(Queue<Counter> sources, Queue<Counter> writers) {
        Job() {
            this(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
        }
    }

    static void configure(Configuration configuration) {
        configuration.setString("metrics.reporters", "rows");
        configuration.setString("metrics.reporter.rows.factory.class", Factory.class.getName());
    }

    /** Rows that reached the writers of Paimon tables. */
    static long written(JobID job) {
        Job counters = JOBS.get(job.toHexString());
        return counters == null ? 0 : sum(counters.writers);
    }

    /** Rows that the job's sources emitted. */
    static long read(JobID job) {
        Job counters = JOBS.get(job.toHexString());
        return counters == null ? 0 : sum(counters.sources);
    }

    private static long sum(Queue<Counter> counters) {
        return counters.stream().mapToLong(Counter::getCount).sum();
    }

    static void forget(JobID job) {
        JOBS.remove(job.toHexString());
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (!(metric instanceof Counter counter)) {
            return;
        }
        Map<String, String> scope = group.getAllVariables();
        String job = scope.get("<job_id>");
        String operator = scope.get("<operator_name>");
        if (job == null || operator == null) {
            return;
        }
        if (name.equals("numRecordsOut") && operator.startsWith("Source: ")) {
            JOBS.computeIfAbsent(job, id -> new Job()).sources.add(counter);
        } else if (name.equals("numRecordsIn") && operator.startsWith("Writer")) {
            JOBS.computeIfAbsent(job, id -> new Job()).writers.add(counter);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
