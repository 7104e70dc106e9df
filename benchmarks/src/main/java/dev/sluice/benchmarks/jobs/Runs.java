/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Runs of many jobs, and what they come to. */
record Runs(List<Run> all) {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** Jobs that only show what others take for their input. */
    private static final String INPUT = "input-";

    /** How many times as fast Sluice is, over the runs that stood beside each other. */
    record Ratio(double median, double least, double most) {}

    /** Those of other lines than runs are left out. */
    static Runs read(List<Path> files) throws IOException {
        List<Run> all = new ArrayList<>();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                JsonNode json = JSON.readTree(line);
                if (json.has("job")) {
                    all.add(Run.of(json));
                }
            }
        }
        return new Runs(all);
    }

    List<Long> sizes() {
        return all.stream().map(Run::rows).distinct().sorted().toList();
    }

    /** In the order in which they ran, without those that are inputs of others. */
    List<String> jobs() {
        return all.stream()
                .map(Run::job)
                .filter(job -> !job.startsWith(INPUT))
                .distinct()
                .toList();
    }

    List<String> connectors() {
        return all.stream().map(Run::connector).distinct().toList();
    }

    Runs of(String job, long rows) {
        return new Runs(all.stream()
                .filter(run -> run.job().equals(job) && run.rows() == rows)
                .toList());
    }

    Runs with(String connector) {
        return new Runs(
                all.stream().filter(run -> run.connector().equals(connector)).toList());
    }

    double median(ToLongFunction<Run.Cost> figure) {
        return median(
                all.stream().map(run -> (double) figure.applyAsLong(run.cost())).toList());
    }

    /** Of one job's runs, pair by pair; empty if one of the two was not there. */
    Optional<Ratio> ratio(String other, ToLongFunction<Run.Cost> figure) {
        List<Run> ours = with(Connector.SLUICE.label()).all();
        List<Run> theirs = with(other).all();
        List<Double> ratios = IntStream.range(0, Math.min(theirs.size(), ours.size()))
                .mapToObj(i -> figure.applyAsLong(theirs.get(i).cost())
                        / (double) Math.max(1, figure.applyAsLong(ours.get(i).cost())))
                .sorted()
                .toList();
        return ratios.isEmpty()
                ? Optional.empty()
                : Optional.of(new Ratio(median(ratios), ratios.get(0), ratios.get(ratios.size() - 1)));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
