/* SPDX-License-Identifier: Apache-2.0 */
/** JMH measurements of the connector's inner pieces. */
@NullMarked
package dev.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
