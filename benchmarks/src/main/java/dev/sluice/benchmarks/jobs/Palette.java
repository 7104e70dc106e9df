/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

/** A colour for each connector, apart for those who do not tell red from green. */
final class Palette {

    private Palette() {}

    static String of(String connector) {
        return switch (connector) {
            case "sluice" -> "#0f766e";
            case "official" -> "#3b82c4";
            default -> "#d97706";
        };
    }
}
