/* SPDX-License-Identifier: Apache-2.0 */
/** Lookup functions for joins against a table. */
@NullMarked
package dev.sluice.flink.lookup;

import org.jspecify.annotations.NullMarked;
