/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** Whose key it is, or whose spelling of it. */
public enum Origin {
    /** The parameter tables of the managed Flink service that ships a Paimon connector. */
    VENDOR("vendor"),
    /** Paimon's own documentation for Flink, and the official connector. */
    PAIMON("Paimon for Flink"),
    /** Paimon's documentation for Spark. */
    SPARK("Paimon for Spark"),
    /** Iceberg's documentation for Flink. */
    ICEBERG("Iceberg"),
    /** New with this connector. */
    SLUICE("Sluice");

    private final String words;

    Origin(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
