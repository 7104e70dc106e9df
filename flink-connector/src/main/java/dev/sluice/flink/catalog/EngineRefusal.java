/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import org.apache.flink.table.catalog.exceptions.CatalogException;

/**
 * A failure of the engine in a user's words. Has no cause, because SQL clients show the deepest cause first; what
 * happened in the engine is suppressed in it.
 */
final class EngineRefusal extends CatalogException {

    private static final long serialVersionUID = 1L;

    EngineRefusal(String message, Throwable engine) {
        super(message);
        addSuppressed(engine);
    }
}
