/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import org.apache.flink.table.api.ValidationException;

/**
 * What a user is told when a statement is refused. SQL clients show the deepest cause first, so a refusal never has a
 * cause: the exception behind it, if any, is told in words and kept as suppressed for those who read stack traces.
 */
public final class Refusal {

    private Refusal() {}

    /** @param detail the exception that led here; its own words belong into the message */
    public static ValidationException of(String message, Throwable detail) {
        ValidationException refusal = new ValidationException(message);
        refusal.addSuppressed(detail);
        return refusal;
    }

    /** What an exception and its causes say, without class names, on one line. */
    public static String words(Throwable failure) {
        StringBuilder words = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String said = t.getMessage() == null ? t.getClass().getSimpleName() : firstLine(t.getMessage());
            // A wrapper without words of its own repeats its cause's.
            if (words.indexOf(said) < 0 && !repeatsCause(t)) {
                words.append(words.isEmpty() ? "" : ": ").append(said);
            }
        }
        return words.toString();
    }

    private static boolean repeatsCause(Throwable t) {
        return t.getCause() != null
                && (t.getMessage() == null || t.getMessage().equals(t.getCause().toString()));
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("");
    }
}
