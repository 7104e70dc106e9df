/* SPDX-License-Identifier: Apache-2.0 */
/** The dynamic table factory, table source and table sink. */
@NullMarked
package dev.sluice.flink.table;

import org.jspecify.annotations.NullMarked;
