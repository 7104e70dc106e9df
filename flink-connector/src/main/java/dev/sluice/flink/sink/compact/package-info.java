/* SPDX-License-Identifier: Apache-2.0 */
/** Merging the small files of tables without buckets, beside the writers. */
@NullMarked
package dev.sluice.flink.sink.compact;

import org.jspecify.annotations.NullMarked;
