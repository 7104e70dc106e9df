/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.List;
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

    /** What an exception and its causes say, without class names, on one line and without a full stop. */
    public static String words(Throwable failure) {
        List<String> words = new ArrayList<>();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String said = said(t);
            if (words.stream().noneMatch(w -> w.contains(said)) && !repeatsItsCause(t)) {
                words.add(said);
            }
        }
        return String.join(": ", words);
    }

    /** Some exceptions say only what they are about, and their class says what happened. */
    private static String said(Throwable t) {
        String message = t.getMessage() == null ? "" : t.getMessage().strip();
        String firstLine = message.lines().findFirst().orElse("").replaceAll("[.:]+$", "");
        boolean bare = firstLine.isEmpty() || !firstLine.contains(" ");
        String kind = t.getClass().getSimpleName().replaceAll("(Exception|Error)$", "");
        return !bare ? firstLine : firstLine.isEmpty() ? kind : kind + " " + firstLine;
    }

    private static boolean repeatsItsCause(Throwable t) {
        return t.getCause() != null
                && (t.getMessage() == null || t.getMessage().equals(t.getCause().toString()));
    }
}
