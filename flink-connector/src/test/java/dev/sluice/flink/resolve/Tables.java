/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.List;
import java.util.Map;

/** Tables that tests resolve options for. */
final class Tables {

    static final TableName NAME = new TableName("cat", "db", "t");

    private Tables() {}

    static TableFacts keyed(Map<String, String> stored) {
        return new TableFacts(NAME, List.of("k", "p", "v", "ts", "kind"), List.of("k", "p"), List.of("p"), stored);
    }

    static TableFacts append(Map<String, String> stored) {
        return new TableFacts(NAME, List.of("k", "p", "v", "ts", "kind"), List.of(), List.of("p"), stored);
    }

    static TableFacts named(String catalog, String database, String table) {
        return new TableFacts(
                new TableName(catalog, database, table), List.of("k", "v"), List.of("k"), List.of(), Map.of());
    }
}
