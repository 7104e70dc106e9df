/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Merge on read over columns. Where the latest row of a key is what counts, a merge only chooses rows: which of them,
 * is found by comparing keys in arrays of primitives, and the chosen ones stay where the file's reader put them until
 * they are copied, column by column, to where they are wanted. Everything else is left to the engine's merge, which
 * passes each row on by itself.
 */
@NullMarked
package dev.sluice.flink.store.merge;

import org.jspecify.annotations.NullMarked;
