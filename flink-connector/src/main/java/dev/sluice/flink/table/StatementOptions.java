/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.table.FileStoreTable;

/** The one place where the options of a statement meet the stored ones. */
final class StatementOptions {

    private StatementOptions() {}

    /**
     * @param options the stored options overlaid with those of the statement (hint or WITH clause), as Flink merged them
     * @return the table with all of them in force. A read position among them moves the scan only, not the columns:
     *     those stay the stored ones that the planner has seen
     */
    static FileStoreTable apply(String name, FileStoreTable stored, Map<String, String> options) {
        Map<String, String> statement = new HashMap<>(options);
        statement.remove("connector");
        statement.remove(CoreOptions.AUTO_CREATE.key());
        statement.remove(CoreOptions.PATH.key());
        try {
            return stored.copyWithoutTimeTravel(statement);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw Refusal.of(
                    "Table " + name + " does not work with the options of this statement: " + Refusal.words(e), e);
        }
    }
}
