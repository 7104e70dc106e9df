/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** What happens to a key that nobody knows. */
public enum UnknownOptions {
    /** The statement fails. */
    ERROR("error"),
    /** A warning is logged and the key is passed on to the engine. */
    WARN("warn");

    private final String text;

    UnknownOptions(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
