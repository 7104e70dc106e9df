/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;

/** A table does not fit into the memory that loading it may take; another kind of view is used instead. */
final class ViewTooLargeException extends IOException {

    private static final long serialVersionUID = 1L;

    ViewTooLargeException(String table, long bytes) {
        super("Table " + table + " does not fit into " + bytes + " bytes.");
    }
}
