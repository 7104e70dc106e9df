/* SPDX-License-Identifier: Apache-2.0 */
/** Rows between Flink and Paimon; stateless between rows. */
@NullMarked
package dev.sluice.flink.convert;

import org.jspecify.annotations.NullMarked;
