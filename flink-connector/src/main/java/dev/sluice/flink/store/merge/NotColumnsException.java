/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.io.IOException;

/** A file's rows do not come as columns; the engine's merge can read them. */
final class NotColumnsException extends IOException {

    private static final long serialVersionUID = 1L;

    NotColumnsException(Class<?> rows) {
        super("A file's rows come as " + rows.getName() + ", not as columns.");
    }
}
