/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A table could not be written or committed; the message names the table, the reason and what to do. */
public final class WriteFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    private WriteFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** @param doing the step that failed, as in "Writing a row" */
    static WriteFailedException during(String doing, StoreTable table, Throwable cause, String advice) {
        return because(reason(cause), doing, table, cause, advice);
    }

    /** @param reason in words of our own, where the cause's are of no help */
    static WriteFailedException because(
            String reason, String doing, StoreTable table, @Nullable Throwable cause, String advice) {
        return new WriteFailedException(
                doing + " failed for table " + table + ": " + reason + ". Committed snapshots are untouched. " + advice,
                cause);
    }

    /** The innermost message that says something; engines wrap the reason several times. */
    private static String reason(Throwable thrown) {
        Throwable current = thrown;
        String said = thrown.getClass().getSimpleName();
        for (int depth = 0; current != null && depth < 20; depth++, current = current.getCause()) {
            String message = current.getMessage();
            if (message != null && !message.isBlank()) {
                said = current.getClass().getSimpleName() + ", " + firstLine(message);
            }
        }
        return said;
    }

    private static String firstLine(String message) {
        String line = message.strip().lines().findFirst().orElse("");
        String cut = line.length() > 300 ? line.substring(0, 300) + "..." : line;
        return cut.endsWith(".") || cut.endsWith(":") ? cut.substring(0, cut.length() - 1) : cut;
    }
}
