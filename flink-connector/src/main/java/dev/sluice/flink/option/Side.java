/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** Who looks at an option. */
public enum Side {
    /** A source: a scan of the table. */
    READ("read"),
    /** A sink: a statement that changes the table. */
    WRITE("write"),
    /** The dimension side of a lookup join; set where the table is read. */
    LOOKUP("lookup"),
    /** Sources and sinks alike. */
    BOTH("read and write"),
    /** The table itself: fixed when it is created, or changed by ALTER TABLE. */
    TABLE("table"),
    /** The catalog, when it is created. */
    CATALOG("catalog");

    private final String words;

    Side(String words) {
        this.words = words;
    }

    /** For messages and documentation. */
    public String words() {
        return words;
    }

    /** Whether an option of this side reaches the reading ({@code reading}) or the writing part of a statement. */
    public boolean reaches(boolean reading) {
        return switch (this) {
            case READ, LOOKUP -> reading;
            case WRITE -> !reading;
            case BOTH, TABLE -> true;
            case CATALOG -> false;
        };
    }
}
