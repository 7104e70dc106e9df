/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

/** Finds the line that says most in a chain of wrapped exceptions. */
final class Causes {

    private Causes() {}

    /** The innermost message, or the innermost type where it has none. */
    static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return root.getClass().getSimpleName() + (message == null ? "" : ": " + message) + ".";
    }
}
