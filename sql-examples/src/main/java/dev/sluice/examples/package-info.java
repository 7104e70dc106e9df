/* SPDX-License-Identifier: Apache-2.0 */

/** The embedded Flink behind {@code ./quickstart}: runs SQL files and a prompt on one cluster in this process. */
@NullMarked
package dev.sluice.examples;

import org.jspecify.annotations.NullMarked;
