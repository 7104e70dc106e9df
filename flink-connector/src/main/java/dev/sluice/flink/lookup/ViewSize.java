/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

/**
 * How much a view holds.
 *
 * @param rows rows in memory; keys that are known to have none count as one
 * @param bytes bytes they take, index included; an estimate where rows are objects
 */
record ViewSize(long rows, long bytes) {}
