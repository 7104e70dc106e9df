/* SPDX-License-Identifier: Apache-2.0 */
/** Operators that write tables of plain data files, which have no snapshots. */
@NullMarked
package dev.sluice.flink.sink.format;

import org.jspecify.annotations.NullMarked;
