/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Where values are on a logarithmic axis.
 *
 * @param least shown at {@code start}, a place in pixels
 * @param most shown at {@code end}
 */
record LogScale(double least, double most, double start, double end) {

    private static final int LEAST_PIXELS = 34;

    double at(double value) {
        return start + (end - start) * Math.log(value / least) / Math.log(most / least);
    }

    /** Round values with room for a label each; 1 is always among them if it is on the axis. */
    List<Double> ticks() {
        List<Double> fine = values(1, 1.5, 2, 3, 5, 7);
        for (List<Double> ticks : List.of(fine, values(1, 2, 5), values(1, 3))) {
            if (apart(ticks)) {
                return ticks;
            }
        }
        return values(1);
    }

    private List<Double> values(double... ofTen) {
        return IntStream.rangeClosed(-5, 7)
                .boxed()
                .flatMap(power -> DoubleStream.of(ofTen)
                        .map(digit -> digit * Math.pow(10, power))
                        .boxed())
                .filter(value -> value >= least * 0.999 && value <= most * 1.001)
                .toList();
    }

    private boolean apart(List<Double> ticks) {
        return IntStream.range(1, ticks.size())
                .allMatch(i -> Math.abs(at(ticks.get(i)) - at(ticks.get(i - 1))) >= LEAST_PIXELS);
    }
}
