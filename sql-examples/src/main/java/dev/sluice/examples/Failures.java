/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What to tell of an exception: the innermost cause that says something. */
final class Failures {

    /** Flink carries causes from a task as text that begins with the class of the exception. */
    private static final Pattern CLASS_NAMES = Pattern.compile("^((?:\\w+\\.)+[\\w$]*(?:Exception|Error): )+");

    private Failures() {}

    /** The cause's message; the first line says it, further lines are details. */
    static String reason(Throwable failure) {
        Throwable told = failure;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            if (saysSomething(cause)) {
                told = cause;
            }
            cause = cause.getCause();
        }
        String message = told.getMessage();
        if (message == null || message.isBlank()) {
            StackTraceElement[] stack = told.getStackTrace();
            return told.getClass().getSimpleName() + " without a message"
                    + (stack.length == 0 ? "" : ", thrown at " + stack[0]);
        }
        String text = CLASS_NAMES.matcher(message.strip()).replaceFirst("");
        return needsItsName(told) ? told.getClass().getSimpleName() + ": " + text : text;
    }

    static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    private static boolean saysSomething(Throwable failure) {
        String message = failure.getMessage();
        Throwable cause = failure.getCause();
        return message != null && !message.isBlank() && (cause == null || !message.equals(cause.toString()));
    }

    /** A message such as a bare class or file name tells nothing without the kind of failure. */
    private static boolean needsItsName(Throwable failure) {
        @Nullable String message = failure.getMessage();
        return message != null && !message.strip().contains(" ");
    }
}
