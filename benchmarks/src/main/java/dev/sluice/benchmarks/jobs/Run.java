/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A counted run of a job, a line of {@code runs.jsonl}.
 *
 * @param connector its label
 * @param rows of the tables; 0 if the job's time does not depend on it
 * @param input the job that has the same input and writes it nowhere, or empty
 * @param number of the pair that it belongs to, from 1
 */
record Run(String job, String input, long rows, String connector, int number, Cost cost) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** @see Worker.Answer */
    record Cost(long millis, long cpuMillis, long peakMegabytes, long heapMegabytes) {}

    static Run of(JsonNode line) {
        return new Run(
                line.path("job").asText(),
                line.path("input").asText(),
                line.path("rows").asLong(),
                line.path("connector").asText(),
                line.path("run").asInt(),
                new Cost(
                        line.path("millis").asLong(),
                        line.path("cpuMillis").asLong(),
                        line.path("peakMegabytes").asLong(),
                        line.path("heapMegabytes").asLong()));
    }

    String line() {
        ObjectNode line = JSON.createObjectNode();
        line.put("job", job);
        if (!input.isEmpty()) {
            line.put("input", input);
        }
        return line.put("rows", rows)
                .put("connector", connector)
                .put("run", number)
                .put("millis", cost.millis())
                .put("cpuMillis", cost.cpuMillis())
                .put("peakMegabytes", cost.peakMegabytes())
                .put("heapMegabytes", cost.heapMegabytes())
                .toString();
    }
}
