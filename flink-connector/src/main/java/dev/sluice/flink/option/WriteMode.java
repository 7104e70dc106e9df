/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** Which kind of table a sink expects. */
public enum WriteMode {
    /** Whatever the table is: a changelog with a primary key, plain rows without. */
    AUTO("auto"),
    /** Rows are only added; the table has no primary key. */
    APPEND_ONLY("append-only"),
    /** Rows are inserted, updated and deleted by primary key. */
    CHANGE_LOG("change-log");

    private final String text;

    WriteMode(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
