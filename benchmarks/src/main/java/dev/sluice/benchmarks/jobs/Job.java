/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job to measure, as statements.
 *
 * @param input the job that has the same input and writes it nowhere, or empty
 * @param connectors with which it means the same
 * @param before each run, not measured
 * @param measured one statement
 * @param settings of that statement
 * @param check a query whose answer must be the same with all connectors, or empty if the measured statement is one
 */
record Job(
        String name,
        String input,
        Set<Connector> connectors,
        List<String> before,
        String measured,
        Map<String, String> settings,
        String check) {}
