/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** Which clock decides that a partition is complete. */
public enum PartitionDoneMode {
    /** The clock of the machine. */
    PROCESS_TIME("process-time"),
    /** The watermark of the input. */
    WATERMARK("watermark");

    private final String text;

    PartitionDoneMode(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
