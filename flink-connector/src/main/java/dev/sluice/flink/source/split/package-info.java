/* SPDX-License-Identifier: Apache-2.0 */
/** Splits, their serializer and their progress. */
@NullMarked
package dev.sluice.flink.source.split;

import org.jspecify.annotations.NullMarked;
