/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

/** When a source emits watermarks. */
public enum WatermarkEmitStrategy {
    /** In the interval of {@code pipeline.auto-watermark-interval}. */
    ON_PERIODIC("on-periodic"),
    /** With each row. */
    ON_EVENT("on-event");

    private final String text;

    WatermarkEmitStrategy(String text) {
        this.text = text;
    }

    /** As it is written in an option. */
    @Override
    public String toString() {
        return text;
    }
}
