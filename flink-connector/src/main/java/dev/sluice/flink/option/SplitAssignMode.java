/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** How splits of a bounded scan reach the subtasks. */
public enum SplitAssignMode {
    /** Evenly, decided beforehand. */
    FAIR("fair"),
    /** To whoever asks first. */
    PREEMPTIVE("preemptive");

    private final String text;

    SplitAssignMode(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
