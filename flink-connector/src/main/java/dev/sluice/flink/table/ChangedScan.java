/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.ResolvedOption;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.resolve.Scope;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.jspecify.annotations.Nullable;

/**
 * The scans of an UPDATE or DELETE that do not read the present although no hint says so. Rows found in the past would
 * be written back over the present ones.
 */
record ChangedScan(List<Past> scans) implements RowLevelModificationScanContext {

    private record Past(String table, ResolvedOption position) {}

    /** @param previous of the statement's scans before this one, or null if it is the first */
    static ChangedScan after(@Nullable RowLevelModificationScanContext previous, OpenedTable scanned) {
        List<Past> scans = new ArrayList<>();
        if (previous instanceof ChangedScan before) {
            scans.addAll(before.scans());
        }
        for (String key : ResolvedOptions.READ_POSITIONS) {
            scanned.options()
                    .get(key)
                    .filter(position -> position.scope().compareTo(Scope.STATEMENT) < 0)
                    .ifPresent(position -> scans.add(new Past(scanned.table().name(), position)));
        }
        return new ChangedScan(scans);
    }

    /** @throws ValidationException if rows of the table were to be changed that are not its present ones */
    static void check(@Nullable RowLevelModificationScanContext context, String table) {
        if (!(context instanceof ChangedScan changed)) {
            return;
        }
        for (Past past : changed.scans()) {
            if (past.table().equals(table)) {
                ResolvedOption position = past.position();
                throw new ValidationException("Table " + table + ", option '" + position.key() + "' = '"
                        + position.shownValue() + "' (" + position.where() + "): UPDATE and DELETE change the rows that"
                        + " they find, and these would be rows of the past. RESET the option for this statement.");
            }
        }
    }
}
