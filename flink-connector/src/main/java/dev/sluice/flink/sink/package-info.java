/* SPDX-License-Identifier: Apache-2.0 */
/** The sink's topology and its DataStream entry. */
@NullMarked
package dev.sluice.flink.sink;

import org.jspecify.annotations.NullMarked;
