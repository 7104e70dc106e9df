/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** Where the rows of a lookup join come from. */
public enum LookupCacheMode {
    /** Chosen by the kind of table and the key of the join. */
    AUTO("AUTO"),
    /** The whole table is loaded, to local disk and memory. */
    FULL("FULL"),
    /** The whole table is loaded, to memory only. */
    MEMORY("MEMORY");

    private final String text;

    LookupCacheMode(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
