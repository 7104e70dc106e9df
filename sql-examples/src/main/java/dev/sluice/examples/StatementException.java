/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

/** A statement that failed. The message's first line says which, where and why. */
final class StatementException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    StatementException(SqlStatement statement, Throwable cause) {
        this(statement, Failures.reason(cause), cause);
    }

    private StatementException(SqlStatement statement, String reason, Throwable cause) {
        super(statement.place() + ": " + reason + System.lineSeparator() + "  statement: " + statement.head(), cause);
        this.reason = reason;
    }

    /** Why, without where. */
    String reason() {
        return reason;
    }
}
