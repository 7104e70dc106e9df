/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Parquet files, encoded column by column. The files are the engine's in layout, options, statistics and indexes; what
 * differs is how values become pages: a page's values are gathered in arrays of primitives and encoded together, where
 * Parquet's own record writer passes each value through a tree of objects.
 */
@NullMarked
package dev.sluice.flink.store.parquet;

import org.jspecify.annotations.NullMarked;
