/* SPDX-License-Identifier: Apache-2.0 */
/** Split enumerators, bounded and continuous, and their checkpointed position. */
@NullMarked
package dev.sluice.flink.source.enumerate;

import org.jspecify.annotations.NullMarked;
