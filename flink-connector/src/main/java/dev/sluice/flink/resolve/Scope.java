/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

/** Where a value can be set, weakest first: a later scope wins. */
public enum Scope {
    /** Nobody set it. */
    DEFAULT("default"),
    /** {@code table-default.} of the catalog; only when a table is created. */
    TABLE_DEFAULT("table-default"),
    /** Stored with the table. */
    TABLE("table"),
    /** {@code SET '<key>'}, for all tables of the session. */
    SESSION("session"),
    /** {@code SET 'paimon.<catalog>.<database>.<table>.<key>'}. */
    SESSION_TABLE("session, selected tables"),
    /** A hint or a builder's setter. */
    STATEMENT("statement");

    private final String words;

    Scope(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
