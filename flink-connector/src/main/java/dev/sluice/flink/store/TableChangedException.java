/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;

/** A running job's table was dropped or altered so that the job must be planned again; trying again does not help. */
public final class TableChangedException extends IOException {

    private static final long serialVersionUID = 1L;

    TableChangedException(StoreTable table, String whatHappened) {
        super("Table " + table.name() + " " + whatHappened
                + " while a job was using it. Start the job again, so that it is planned for the table as it is now.");
    }
}
