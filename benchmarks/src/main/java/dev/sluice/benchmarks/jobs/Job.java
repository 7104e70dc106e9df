/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job to measure, as statements.
 *
 * @param before each run, not measured
 * @param measured one statement
 * @param settings of that statement
 * @param check a query whose answer must be the same with all connectors, or empty if the measured statement is one
 */
record Job(
        String name, Traits traits, List<String> before, String measured, Map<String, String> settings, String check) {

    /**
     * @param input the job that has the same input and writes it nowhere, or empty
     * @param connectors with which it means the same
     * @param follows the table that is committed to while the job reads it, see {@link CommitToRow}; empty: a job that ends
     * @param growth whether it is one of those whose time is measured for more than one number of rows
     * @param fixed whether it takes the same time for any number of rows
     * @param checkOnce whether the check is made after the first run alone, since no run changes its answer
     */
    record Traits(
            String input,
            Set<Connector> connectors,
            String follows,
            boolean growth,
            boolean fixed,
            boolean checkOnce) {}

    String input() {
        return traits.input();
    }

    Set<Connector> connectors() {
        return traits.connectors();
    }

    boolean follows() {
        return !traits.follows().isEmpty();
    }
}
