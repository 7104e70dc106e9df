/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.List;
import java.util.Map;

/**
 * What options are judged by. Immutable.
 *
 * @param columns names of the physical columns, in order; empty if not known, then no option is checked against them
 * @param primaryKeys empty for an append table
 * @param partitionKeys empty for a table without partitions
 * @param stored the table's own options, as they are stored
 */
public record TableFacts(
        TableName name,
        List<String> columns,
        List<String> primaryKeys,
        List<String> partitionKeys,
        Map<String, String> stored) {

    public TableFacts {
        columns = List.copyOf(columns);
        primaryKeys = List.copyOf(primaryKeys);
        partitionKeys = List.copyOf(partitionKeys);
        stored = Map.copyOf(stored);
    }
}
