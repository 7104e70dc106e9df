/* SPDX-License-Identifier: Apache-2.0 */
/** The only door to Paimon's engine: open a table, plan, read, write, commit, follow snapshots. */
@NullMarked
package dev.sluice.flink.store;

import org.jspecify.annotations.NullMarked;
