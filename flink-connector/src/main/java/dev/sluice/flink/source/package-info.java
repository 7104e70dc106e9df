/* SPDX-License-Identifier: Apache-2.0 */
/** The FLIP-27 source and its DataStream entry. */
@NullMarked
package dev.sluice.flink.source;

import org.jspecify.annotations.NullMarked;
