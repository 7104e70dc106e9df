/* SPDX-License-Identifier: Apache-2.0 */
/** The writer operator. */
@NullMarked
package dev.sluice.flink.sink.write;

import org.jspecify.annotations.NullMarked;
